#include "rows/disk_rows.h"

#include <algorithm>
#include <climits>

#include "rows/checksum.h"

namespace dualmargin {

DiskRows::DiskRows(const std::string& path) : file_(path, DiskFile::Use::read) {
  state_ = file_.state();
  if (state_.bytes < DiskHead::bytes) throw RowsFileError(path, "is no file of rows");
  std::vector<unsigned char> bytes(DiskHead::bytes);
  file_.read(bytes.data(), bytes.size(), 0);
  head_ = decode_head(bytes, path);
  if (head_.tail > state_.bytes || state_.bytes - head_.tail < head_.tail_bytes) {
    throw RowsFileError(path, "is cut off: it has " + std::to_string(state_.bytes) +
                                  " bytes where " + std::to_string(head_.tail + head_.tail_bytes) +
                                  " were written");
  }
  if (state_.bytes - head_.tail > head_.tail_bytes) {
    throw RowsFileError(path, "has more bytes than were written");
  }
  bytes.resize(static_cast<std::size_t>(head_.tail_bytes));
  file_.read(bytes.data(), bytes.size(), head_.tail);
  tail_ = decode_tail(bytes, head_, path);
  held_ = std::make_unique<Held[]>(tail_.chunks.size());
}

std::unique_ptr<const DiskFile> DiskRows::again() const {
  auto file = std::make_unique<const DiskFile>(path(), DiskFile::Use::read);
  assert_same(*file);
  file->expect_order();
  return file;
}

Index DiskRows::chunk_of(Index i) const {
  const auto after = std::upper_bound(tail_.chunks.begin(), tail_.chunks.end(), i,
                                      [](Index row, const DiskChunk& c) { return row < c.first; });
  return static_cast<Index>(after - tail_.chunks.begin()) - 1;
}

void DiskRows::verify(Index k, std::size_t block) const {
  const DiskChunk& c = tail_.chunks[static_cast<std::size_t>(k)];
  std::vector<unsigned char> bytes(block);
  Checksum sum;
  for (Word at = c.starts(), end = c.end(head_); at < end; at += block) {
    const auto size = static_cast<std::size_t>(std::min<Word>(block, end - at));
    read(bytes.data(), size, at);
    sum.add(bytes.data(), size);
  }
  if (sum.value() != c.checksum) {
    throw RowsFileError(path(), "is damaged: its bytes do not fit their checksum",
                        static_cast<double>(k) + 1, static_cast<double>(c.first) + 1);
  }
}

void DiskRows::hold(Index k) const {
  Held& own = held_[static_cast<std::size_t>(k)];
  if (own.sound.load(std::memory_order_acquire)) return;
  const std::lock_guard<std::mutex> lock(own.mutex);
  if (own.sound) return;
  verify(k);
  own.sound = true;
}

Index DiskRows::left_in_chunk(Index i) const {
  const DiskChunk& c = tail_.chunks[static_cast<std::size_t>(chunk_of(i))];
  return c.first + static_cast<Index>(c.rows) - i;
}

void DiskRows::read_rows(Index first, Index count, std::vector<int>& end, std::vector<int>& column,
                         std::vector<double>& value) const {
  const Index k = chunk_of(first);
  const DiskChunk& c = tail_.chunks[static_cast<std::size_t>(k)];
  const auto own = static_cast<Word>(first - c.first), rows = static_cast<Word>(count);
  std::vector<Word> bounds(static_cast<std::size_t>(rows) + 1);
  if (head_.sparse) {
    read(bounds.data(), 8 * bounds.size(), c.starts() + 8 * own);
  } else {
    for (Word i = 0; i <= rows; ++i) bounds[i] = c.first_entry + (own + i) * head_.d;
  }
  const std::size_t before = value.size();
  bool sound = bounds[0] >= c.first_entry && bounds[rows] <= c.first_entry + c.entries;
  for (Word i = 0; i < rows && sound; ++i) sound = bounds[i] <= bounds[i + 1];
  if (!sound || bounds[rows] - bounds[0] + before > INT_MAX) {
    throw RowsFileError(path(), "is damaged, or has more entries there than one matrix takes",
                        static_cast<double>(k) + 1, static_cast<double>(first) + 1);
  }
  const auto entries = static_cast<std::size_t>(bounds[rows] - bounds[0]);
  const Word from = bounds[0] - c.first_entry;
  value.resize(before + entries);
  read(value.data() + before, 8 * entries, c.values(head_) + 8 * from);
  if (!head_.sparse) return;
  column.resize(before + entries);
  read(column.data() + before, 4 * entries, c.columns(head_) + 4 * from);
  for (Word i = 1; i <= rows; ++i) {
    end.push_back(static_cast<int>(bounds[i] - bounds[0] + before));
  }
}

std::vector<Start> DiskRows::starts() const {
  std::vector<Start> all(static_cast<std::size_t>(head_.sparse ? n() + 1 : 0), 0);
  for (std::size_t k = 0; k < tail_.chunks.size() && head_.sparse; ++k) {
    const DiskChunk& c = tail_.chunks[k];
    Start* own = all.data() + c.first;
    read(own, 8 * (static_cast<std::size_t>(c.rows) + 1), c.starts());
    bool rises = own[0] == static_cast<Start>(c.first_entry) &&
                 own[c.rows] == static_cast<Start>(c.first_entry + c.entries);
    for (Word i = 0; i < c.rows && rises; ++i) rises = own[i] <= own[i + 1];
    if (!rises) {
      throw RowsFileError(path(), "is damaged: the starts of its rows do not rise",
                          static_cast<double>(k) + 1, static_cast<double>(c.first) + 1);
    }
  }
  return all;
}

Vec DiskRows::labels() const { return numbers("labels", head_.labels_at(), tail_.labels); }

Vec DiskRows::weights() const {
  if (!head_.weights) return Vec::Ones(n());
  return numbers("weights", head_.weights_at(), tail_.weights);
}

void DiskRows::assert_same(const DiskFile& file) const {
  if (!(file.state() == state_)) throw RowsFileError(path(), "was changed while it was read");
}

Vec DiskRows::numbers(const std::string& what, Word place, Word checksum) const {
  Vec all(n());
  const std::size_t size = 8 * static_cast<std::size_t>(n());
  read(all.data(), size, place);
  if (checksum_of(all.data(), size) != checksum) {
    throw RowsFileError(path(), "is damaged: its " + what + " do not fit their checksum");
  }
  return all;
}

}  // namespace dualmargin
