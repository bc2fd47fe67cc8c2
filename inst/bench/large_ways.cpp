// One pass over a file of rows, sum_i (x_i'w)^2, by three ways to have the rows:
//   one     blocks by pread, the system reads on (as src/rows/on_disk.h does)
//   two     two blocks: a thread reads the next one by pread while this one is used
//   mapped  the file mapped into memory
// Usage: large_ways FILE one|two|mapped PASSES; prints seconds of each pass, the processor's
// seconds of each pass, and the sum.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "rows/disk_rows.h"

using namespace dualmargin;

namespace {

double seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}
double cpu_seconds() {
  rusage use;
  getrusage(RUSAGE_SELF, &use);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return of(use.ru_utime) + of(use.ru_stime);
}

struct Range {
  Index first, end;
};

// Rows of one chunk each, some 16,384 entries.
std::vector<Range> ranges(const DiskRows& file, const std::vector<Start>& start) {
  constexpr Start most = 16384;
  std::vector<Range> all;
  for (const DiskChunk& c : file.chunks()) {
    const Index last = c.first + static_cast<Index>(c.rows);
    for (Index i = c.first; i < last;) {
      Index end = i + 1;
      const Index d = file.d();
      const auto entries = [&](Index to) {
        return file.head().sparse ? start[to] - start[i] : static_cast<Start>((to - i) * d);
      };
      while (end < last && entries(end + 1) <= most) ++end;
      all.push_back({i, end});
      i = end;
    }
  }
  return all;
}

struct Block {
  std::vector<int> column;
  std::vector<double> value;
};

class Pass {
 public:
  explicit Pass(const std::string& path)
      : file_(path),
        start_(file_.starts()),
        ranges_(ranges(file_, start_)),
        columns_(file_.again()),
        values_(file_.again()),
        w_(Vec::LinSpaced(file_.d(), -1, 1)) {}

  double one() {
    double sum = 0;
    Block block;
    for (const Range& r : ranges_) {
      fill(block, r);
      sum += use(r, block.column.data(), block.value.data());
    }
    return sum;
  }

  double two() {
    Block block[2];
    std::mutex mutex;
    std::condition_variable told;
    std::size_t filled = 0, used = 0;  // blocks so far
    std::thread reader([&] {
      for (std::size_t k = 0; k < ranges_.size(); ++k) {
        {
          std::unique_lock<std::mutex> lock(mutex);
          told.wait(lock, [&] { return k < used + 2; });
        }
        fill(block[k % 2], ranges_[k]);
        {
          const std::lock_guard<std::mutex> lock(mutex);
          filled = k + 1;
        }
        told.notify_all();
      }
    });
    double sum = 0;
    for (std::size_t k = 0; k < ranges_.size(); ++k) {
      {
        std::unique_lock<std::mutex> lock(mutex);
        told.wait(lock, [&] { return filled > k; });
      }
      sum += use(ranges_[k], block[k % 2].column.data(), block[k % 2].value.data());
      {
        const std::lock_guard<std::mutex> lock(mutex);
        used = k + 1;
      }
      told.notify_all();
    }
    reader.join();
    return sum;
  }

  double mapped() {
    const int handle = ::open(file_.path().c_str(), O_RDONLY);
    const auto bytes = static_cast<std::size_t>(file_.state().bytes);
    void* all = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, handle, 0);
    ::close(handle);
    if (all == MAP_FAILED) return NAN;
    ::madvise(all, bytes, MADV_SEQUENTIAL);
    const auto* at = static_cast<const char*>(all);
    double sum = 0;
    for (const Range& r : ranges_) {
      const Place p = place(r);
      sum += use(r, reinterpret_cast<const int*>(at + p.columns),
                 reinterpret_cast<const double*>(at + p.values));
    }
    ::munmap(all, bytes);
    return sum;
  }

 private:
  struct Place {
    Word columns, values;
    std::size_t entries;
  };
  Place place(const Range& r) const {
    const DiskHead& head = file_.head();
    const DiskChunk& c = file_.chunks()[static_cast<std::size_t>(file_.chunk_of(r.first))];
    const auto before = head.sparse ? start_[r.first] : r.first * file_.d();
    const auto after = head.sparse ? start_[r.end] : r.end * file_.d();
    const Word skipped = static_cast<Word>(before) - c.first_entry;
    return {c.columns(head) + 4 * skipped, c.values(head) + 8 * skipped,
            static_cast<std::size_t>(after - before)};
  }
  void fill(Block& block, const Range& r) const {
    const Place p = place(r);
    if (block.value.size() < p.entries) block.value.resize(p.entries);
    values_->read(block.value.data(), 8 * p.entries, p.values);
    if (!file_.head().sparse) return;
    if (block.column.size() < p.entries) block.column.resize(p.entries);
    columns_->read(block.column.data(), 4 * p.entries, p.columns);
  }
  double use(const Range& r, const int* column, const double* value) const {
    double sum = 0;
    for (Index i = r.first; i < r.end; ++i) {
      double z = 0;
      if (file_.head().sparse) {
        const Start from = start_[r.first];
        for (Start k = start_[i] - from; k < start_[i + 1] - from; ++k)
          z += w_[column[k]] * value[k];
      } else {
        z = w_.dot(Eigen::Map<const Vec>(value + (i - r.first) * file_.d(), file_.d()));
      }
      sum += z * z;
    }
    return sum;
  }

  const DiskRows file_;
  const std::vector<Start> start_;
  const std::vector<Range> ranges_;
  const std::unique_ptr<const DiskFile> columns_, values_;
  const Vec w_;
};

}  // namespace

int main(int count, char** text) {
  if (count != 4) return 2;
  Pass pass(text[1]);
  const std::string way = text[2];
  for (int k = 0; k < std::atoi(text[3]); ++k) {
    const double from = seconds(), cpu = cpu_seconds();
    const double sum = way == "one" ? pass.one() : way == "two" ? pass.two() : pass.mapped();
    std::printf("%.6f %.6f %.17g\n", seconds() - from, cpu_seconds() - cpu, sum);
  }
}
