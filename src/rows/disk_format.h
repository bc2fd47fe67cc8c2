// Rows in a file. All numbers are little endian; places are counted in bytes from its beginning.
//
//   head      128 bytes, see DiskHead
//   chunks    so many rows each, as they came, at multiples of 8:
//               mark, rows, entries, checksum of what follows                  64 bits each
//               sparse: starts of the rows among all entries, and the end      64 bits, rows + 1
//                       columns from 0, rising in a row                        32 bits, entries
//                       (and 4 bytes where that is odd)
//               values: of the entries; of a dense row all columns             doubles
//   labels    codes of the response: -1 and 1, or classes from 1, or numbers     doubles, n
//   weights   (both where the head has them)                                     doubles, n
//   tail      of each chunk its place, rows, entries, checksum                 64 bits each
//             checksums of labels and weights                                  64 bits each
//             task, levels, names of the columns, and bytes that only their writer reads
//
// The head has the checksum of the tail, the tail those of the chunks: the checksum of the head is
// that of the whole file. The head is written last, and the file gets its name after that.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/numeric.h"
#include "rows/checksum.h"
#include "rows/disk_io.h"

namespace dualmargin {

using Word = std::uint64_t;

inline bool little_endian() {
  const std::uint16_t one = 1;
  unsigned char first;
  std::memcpy(&first, &one, 1);
  return first == 1;
}

struct DiskHead {
  static constexpr std::size_t bytes = 128;
  static constexpr char magic[9] =
      "\x93"
      "dmrows\n";
  static constexpr std::uint32_t version = 1;

  bool sparse = true, labels = false, weights = false;
  Index n = 0, d = 0;
  Word entries = 0, chunks = 0;
  Word tail = 0, tail_bytes = 0, tail_checksum = 0;  // the file ends with the tail
  Word checksum = 0;

  Word weights_at() const { return tail - (weights ? 8 * static_cast<Word>(n) : 0); }
  Word labels_at() const { return weights_at() - (labels ? 8 * static_cast<Word>(n) : 0); }

  Index leading() const { return sparse ? 0 : d; }  // from a dense row to the next
};

struct DiskChunk {
  static constexpr std::size_t head_bytes = 32;
  static constexpr Word mark = 0x6b6e7568632d6d64ULL;  // "dm-chunk"

  Word place = 0, rows = 0, entries = 0, checksum = 0;
  Index first = 0;       // the number of its first row
  Word first_entry = 0;  // entries before it

  // Where its parts lie.
  Word starts() const { return place + head_bytes; }
  Word columns(const DiskHead& h) const { return starts() + (h.sparse ? 8 * (rows + 1) : 0); }
  Word values(const DiskHead& h) const {
    return columns(h) + (h.sparse ? (4 * entries + 7) / 8 * 8 : 0);
  }
  Word end(const DiskHead& h) const { return values(h) + 8 * entries; }
};

// What is known of the file beside its rows.
struct DiskNotes {
  std::string task;
  std::vector<std::string> levels, names;  // names: of the columns, or none
  std::vector<unsigned char> extra;
};

// Numbers and texts one after another.
class ByteWriter {
 public:
  std::vector<unsigned char> bytes;

  void put(const void* from, std::size_t size) {
    const auto* first = static_cast<const unsigned char*>(from);
    bytes.insert(bytes.end(), first, first + size);
  }
  void word(Word x) { put(&x, 8); }
  void half(std::uint32_t x) { put(&x, 4); }
  void text(const std::string& s) {
    word(s.size());
    put(s.data(), s.size());
  }
  void texts(const std::vector<std::string>& all) {
    word(all.size());
    for (const std::string& s : all) text(s);
  }
};

// The same read again; nothing is taken from beyond the end.
class ByteReader {
 public:
  ByteReader(const std::vector<unsigned char>& bytes, const std::string& path)
      : bytes_(bytes), path_(path) {}

  void get(void* to, std::size_t size) {
    if (size > bytes_.size() - at_) throw RowsFileError(path_, "is damaged: its tail is too short");
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }
  Word word() {
    Word x = 0;
    get(&x, 8);
    return x;
  }
  std::uint32_t half() {
    std::uint32_t x = 0;
    get(&x, 4);
    return x;
  }
  // How many things of so many bytes at least follow.
  std::size_t count(std::size_t size) {
    const Word many = word();
    if (many > (bytes_.size() - at_) / size) {
      throw RowsFileError(path_, "is damaged: its tail names more than it holds");
    }
    return static_cast<std::size_t>(many);
  }
  std::string text() {
    std::string s(count(1), '\0');
    get(&s[0], s.size());
    return s;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> all(count(8));
    for (std::string& s : all) s = text();
    return all;
  }

 private:
  const std::vector<unsigned char>& bytes_;
  const std::string& path_;
  std::size_t at_ = 0;
};

inline std::vector<unsigned char> encode(DiskHead& head) {
  ByteWriter out;
  out.put(DiskHead::magic, 8);
  out.half(DiskHead::version);
  out.half(head.sparse ? 0 : 1);
  out.half(32);  // bits of a column
  out.half((head.labels ? 1 : 0) + (head.weights ? 2 : 0));
  for (const Word x : {static_cast<Word>(head.n), static_cast<Word>(head.d), head.entries,
                       static_cast<Word>(head.leading()), head.chunks, head.tail, head.tail_bytes,
                       head.tail_checksum}) {
    out.word(x);
  }
  out.bytes.resize(DiskHead::bytes - 8, 0);
  head.checksum = checksum_of(out.bytes.data(), out.bytes.size());
  out.word(head.checksum);
  return out.bytes;
}

inline DiskHead decode_head(const std::vector<unsigned char>& bytes, const std::string& path) {
  const auto fail = [&](const std::string& fault) { throw RowsFileError(path, fault); };
  if (!little_endian()) fail("cannot be read by this machine, whose numbers are big endian");
  if (bytes.size() < DiskHead::bytes || std::memcmp(bytes.data(), DiskHead::magic, 8) != 0) {
    fail("is no file of rows");
  }
  ByteReader in(bytes, path);
  in.word();
  const std::uint32_t version = in.half(), form = in.half(), width = in.half(), has = in.half();
  if (version != DiskHead::version) {
    fail("has version " + std::to_string(version) + " of the format, and " +
         std::to_string(DiskHead::version) + " is what this package reads");
  }
  DiskHead head;
  head.sparse = form == 0;
  head.labels = (has & 1) != 0;
  head.weights = (has & 2) != 0;
  head.n = static_cast<Index>(in.word());
  head.d = static_cast<Index>(in.word());
  head.entries = in.word();
  const Word leading = in.word();
  head.chunks = in.word();
  head.tail = in.word();
  head.tail_bytes = in.word();
  head.tail_checksum = in.word();
  std::memcpy(&head.checksum, bytes.data() + DiskHead::bytes - 8, 8);
  const bool sound = head.checksum == checksum_of(bytes.data(), DiskHead::bytes - 8) && form <= 1 &&
                     width == 32 && leading == static_cast<Word>(head.leading());
  if (!sound) fail("is damaged: its head does not fit its checksum");
  return head;
}

// What is known from the tail.
struct DiskTail {
  std::vector<DiskChunk> chunks;
  Word labels = 0, weights = 0;  // their checksums
  DiskNotes notes;
};

inline std::vector<unsigned char> encode(const DiskTail& tail) {
  ByteWriter out;
  for (const DiskChunk& c : tail.chunks) {
    for (const Word x : {c.place, c.rows, c.entries, c.checksum}) out.word(x);
  }
  out.word(tail.labels);
  out.word(tail.weights);
  out.text(tail.notes.task);
  out.texts(tail.notes.levels);
  out.texts(tail.notes.names);
  out.word(tail.notes.extra.size());
  out.put(tail.notes.extra.data(), tail.notes.extra.size());
  return out.bytes;
}

// The chunks are those of the head, one after another, and nothing is between them.
inline DiskTail decode_tail(const std::vector<unsigned char>& bytes, const DiskHead& head,
                            const std::string& path) {
  const auto fail = [&] {
    throw RowsFileError(path, "is damaged: its tail does not fit its head");
  };
  if (checksum_of(bytes.data(), bytes.size()) != head.tail_checksum) fail();
  if (head.chunks > bytes.size() / 32) fail();
  ByteReader in(bytes, path);
  DiskTail tail;
  tail.chunks.resize(static_cast<std::size_t>(head.chunks));
  const Word width = static_cast<Word>(std::max<Index>(1, head.d));
  Word place = DiskHead::bytes, rows = 0, entries = 0;
  for (DiskChunk& c : tail.chunks) {
    c.place = in.word();
    c.rows = in.word();
    c.entries = in.word();
    c.checksum = in.word();
    c.first = static_cast<Index>(rows);
    c.first_entry = entries;
    if (c.place != place || c.rows > (Word{1} << 48) || c.entries > (Word{1} << 48)) fail();
    if (!head.sparse && (c.entries % width != 0 || c.entries / width != c.rows)) fail();
    rows += c.rows;
    entries += c.entries;
    place = c.end(head);
  }
  if (rows != static_cast<Word>(head.n) || entries != head.entries || place != head.labels_at())
    fail();
  tail.labels = in.word();
  tail.weights = in.word();
  tail.notes.task = in.text();
  tail.notes.levels = in.texts();
  tail.notes.names = in.texts();
  tail.notes.extra.resize(in.count(1));
  in.get(tail.notes.extra.data(), tail.notes.extra.size());
  return tail;
}

}  // namespace dualmargin
