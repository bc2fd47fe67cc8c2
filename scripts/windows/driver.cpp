// Rows in a file where the system is Windows: written and read back, in order and not, by several
// threads, cut off, changed while open, put in another's place, and beyond 4 GB. Linked with the
// units that know nothing of R; the last line counts.
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "rows/disk_store.h"
#include "rows/disk_writer.h"

using namespace dualmargin;

namespace {

int passed = 0, failed = 0;

void expect(bool holds, const std::string& what) {
  ++(holds ? passed : failed);
  if (!holds) std::printf("failed: %s\n", what.c_str());
}

template <class F>
void expect_error(F f, const std::string& part) {
  std::string message = "no error";
  try {
    f();
  } catch (const RowsFileError& error) {
    message = error.what();
  }
  expect(message.find(part) != std::string::npos, part + ": " + message);
}

constexpr Index n = 3000, d = 12;

// Row i has the columns with (i + j) % 3 == 0, or all.
double entry(Index i, Index j) { return static_cast<double>(i * d + j) / 7; }
bool stored(Index i, Index j, bool sparse) { return !sparse || (i + j) % 3 == 0; }

void write_file(const std::string& path, bool sparse) {
  DiskDraft draft;
  draft.path = path;
  draft.draft = path + ".part";
  draft.head.sparse = sparse;
  remove_file(path);
  remove_file(draft.draft);
  begin_rows(draft);
  for (Index first = 0; first < n; first += 1000) {
    std::vector<Start> start(1, 0);
    std::vector<int> column;
    std::vector<double> value;
    for (Index i = first; i < first + 1000; ++i) {
      for (Index j = 0; j < d; ++j) {
        if (!stored(i, j, sparse)) continue;
        column.push_back(static_cast<int>(j));
        value.push_back(entry(i, j));
      }
      start.push_back(static_cast<Start>(value.size()));
    }
    RowBlock block;
    block.rows = 1000;
    block.columns = d;
    block.value = value.data();
    if (sparse) block.start = start.data(), block.column = column.data();
    append_rows(draft, block);
  }
  Vec labels(n);
  for (Index i = 0; i < n; ++i) labels[i] = i % 2 == 0 ? 1 : -1;
  finish_rows(draft, d, labels.data(), nullptr, {"classification", {"a", "b"}, {}, {}});
}

double expected(Index i, bool sparse) {
  double sum = 0;
  for (Index j = 0; j < d; ++j) {
    if (stored(i, j, sparse)) sum += entry(i, j) * static_cast<double>(j + 1);
  }
  return sum;
}

void read_back(const std::string& path, bool sparse) {
  const DiskRows file(path);
  expect(file.n() == n && file.d() == d && file.notes().levels.size() == 2, "head and tail");
  expect(file.labels()[1] == -1, "labels");
  for (std::size_t k = 0; k < file.chunks().size(); ++k) file.verify(static_cast<Index>(k));
  const std::vector<Start> starts = file.starts();
  const Vec zeros = Vec::Zero(d), ones = Vec::Ones(d);
  const DiskSource source(file, starts, zeros, ones);
  Vec w(d);
  for (Index j = 0; j < d; ++j) w[j] = static_cast<double>(j + 1);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (Index t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::unique_ptr<Storage> rows = source.storage(0);
      for (Index k = 0; k < n; ++k) {  // the odd threads far from any order
        const Index i = t % 2 == 0 ? k : (k * 1009 + t) % n;
        const double sum = expected(i, sparse);
        if (std::abs(rows->row_dot(i, w.data()) - sum) > 1e-12 * std::abs(sum)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  expect(wrong == 0, "products of rows read by four threads");
}

}  // namespace

int main() {
  for (const bool sparse : {true, false}) {
    const std::string path = sparse ? "sparse.rows" : "dense.rows";
    write_file(path, sparse);
    read_back(path, sparse);
  }
  expect_error([] { DiskRows("absent.rows"); }, "cannot be opened");
  expect_error([] { DiskFile("dense.rows", DiskFile::Use::create); }, "cannot be opened");
  {
    const DiskRows open("dense.rows");
    open.assert_unchanged();
    DiskFile("dense.rows", DiskFile::Use::append).write("x", 1, 5000);
    expect_error([&] { open.assert_unchanged(); }, "changed");
    expect_error([&] { open.verify(0); }, "checksum");
  }
  {
    DiskFile file("large.bytes", DiskFile::Use::create);
    const std::uint64_t far = (std::uint64_t{1} << 32) + 12345;
    file.write("abc", 3, 17);
    file.write("def", 3, far);
    file.settle();
    char three[4] = "";
    file.read(three, 3, far);
    expect(std::string(three) == "def", "bytes beyond 4 GB");
    file.read(three, 3, 17);
    expect(std::string(three) == "abc", "bytes at the beginning");
    expect(file.state().bytes == far + 3, "a size beyond 4 GB");
    expect_error([&] { file.read(three, 3, far + 1); }, "is cut off");
  }
  put_in_place("large.bytes", "sparse.rows");
  expect_error([] { DiskRows("sparse.rows"); }, "");
  expect_error([] { put_in_place("absent.rows", "other.rows"); }, "cannot be put in place");
  remove_file("sparse.rows");
  remove_file("dense.rows");
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
