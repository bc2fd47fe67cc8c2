#include "rows/disk_writer.h"

#include <algorithm>
#include <vector>

#include "rows/checksum.h"

namespace dualmargin {

namespace {

// What cannot be read back as it is: its row, from 1 in the block, and the fault.
void check_block(const DiskDraft& draft, const RowBlock& block) {
  const auto fail = [&](Index i, const std::string& fault) {
    throw RowsFileError(draft.path, fault, static_cast<double>(draft.head.chunks) + 1,
                        static_cast<double>(i) + 1);
  };
  for (Index i = 0; i < block.rows; ++i) {
    const Index count =
        block.start != nullptr ? block.start[i + 1] - block.start[i] : block.columns;
    const Index from = block.start != nullptr ? block.start[i] : i * block.columns;
    const int* column = block.start != nullptr ? block.column + from : nullptr;
    const double* value = block.value + from;
    for (Index k = 0; k < count; ++k) {
      if (!std::isfinite(value[k])) {
        fail(i, "has a value that is NA or not finite in column " +
                    std::to_string(column != nullptr ? column[k] + 1 : k + 1));
      }
      if (column != nullptr && (column[k] < 0 || (k > 0 && column[k] <= column[k - 1]))) {
        fail(i, "has columns that do not rise");
      }
    }
  }
}

}  // namespace

void begin_rows(DiskDraft& draft) {
  if (!little_endian()) {
    throw RowsFileError(draft.path,
                        "cannot be written by this machine, whose numbers are big endian");
  }
  DiskFile file(draft.draft, DiskFile::Use::create);
  const std::vector<unsigned char> blank(DiskHead::bytes, 0);
  file.write(blank.data(), blank.size(), 0);
}

void append_rows(DiskDraft& draft, const RowBlock& block) {
  DiskHead& head = draft.head;
  if (block.rows == 0) return;
  check_block(draft, block);
  DiskFile file(draft.draft, DiskFile::Use::append);
  if (file.state().bytes != draft.bytes) {
    throw RowsFileError(draft.draft, "was changed by something else while it was written");
  }
  DiskChunk chunk;
  chunk.place = draft.bytes;
  chunk.rows = static_cast<Word>(block.rows);
  const Start first = head.sparse ? block.start[0] : 0;
  chunk.entries =
      static_cast<Word>(head.sparse ? block.start[block.rows] - first : block.rows * block.columns);
  Checksum sum;
  Word at = chunk.starts();
  const auto put = [&](const void* from, std::size_t size) {
    sum.add(from, size);
    file.write(from, size, at);
    at += size;
  };
  const auto entries = static_cast<std::size_t>(chunk.entries),
             rows = static_cast<std::size_t>(block.rows);
  if (head.sparse) {
    std::vector<Word> starts(rows + 1);
    for (std::size_t i = 0; i <= rows; ++i) {
      starts[i] = head.entries + static_cast<Word>(block.start[i] - first);
    }
    put(starts.data(), 8 * starts.size());
    put(block.column + first, 4 * entries);
    const std::uint32_t nothing = 0;
    if (entries % 2 != 0) put(&nothing, 4);
    for (std::size_t i = 0; i < rows; ++i) {
      const Start end = block.start[i + 1];
      if (end > block.start[i]) draft.used = std::max(draft.used, Index{block.column[end - 1]} + 1);
    }
  } else {
    draft.used = block.columns;
  }
  put(block.value + first, 8 * entries);
  const Word start[4] = {DiskChunk::mark, chunk.rows, chunk.entries, sum.value()};
  file.write(start, sizeof start, chunk.place);
  draft.bytes = at;
  head.n += block.rows;
  head.entries += chunk.entries;
  ++head.chunks;
}

namespace {

void write_end(DiskDraft& draft, Index columns, const double* labels, const double* weights,
               const DiskNotes& notes) {
  DiskHead& head = draft.head;
  head.d = columns;
  head.labels = labels != nullptr;
  head.weights = weights != nullptr;
  DiskFile file(draft.draft, DiskFile::Use::append);
  const auto changed = [&] {
    throw RowsFileError(draft.draft, "was changed by something else while it was written");
  };
  if (file.state().bytes != draft.bytes) changed();
  DiskTail tail;
  tail.notes = notes;
  tail.chunks.resize(static_cast<std::size_t>(head.chunks));
  Word place = DiskHead::bytes;
  for (DiskChunk& c : tail.chunks) {
    Word start[4];
    file.read(start, sizeof start, place);
    c.place = place;
    c.rows = start[1];
    c.entries = start[2];
    c.checksum = start[3];
    place = c.end(head);
    if (start[0] != DiskChunk::mark || place > draft.bytes) changed();
  }
  const auto put = [&](const double* numbers, Word& checksum) {
    if (numbers == nullptr) return;
    const std::size_t size = 8 * static_cast<std::size_t>(head.n);
    checksum = checksum_of(numbers, size);
    file.write(numbers, size, place);
    place += size;
  };
  put(labels, tail.labels);
  put(weights, tail.weights);
  const std::vector<unsigned char> last = encode(tail);
  head.tail = place;
  head.tail_bytes = last.size();
  head.tail_checksum = checksum_of(last.data(), last.size());
  file.write(last.data(), last.size(), place);
  const std::vector<unsigned char> first = encode(head);
  file.write(first.data(), first.size(), 0);
  file.settle();
}

}  // namespace

// What is open has no other name on some systems, so the file is closed first.
void finish_rows(DiskDraft& draft, Index columns, const double* labels, const double* weights,
                 const DiskNotes& notes) {
  write_end(draft, columns, labels, weights, notes);
  put_in_place(draft.draft, draft.path);
}

}  // namespace dualmargin
