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

#include <string>
#include <vector>

#include "base/numeric.h"
#include "rows/disk_io.h"

namespace dualmargin {

using Word = std::uint64_t;

bool little_endian();

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
  Word columns(const DiskHead& h) const;
  Word values(const DiskHead& h) const;
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

  void put(const void* from, std::size_t size);
  void word(Word x) { put(&x, 8); }
  void half(std::uint32_t x) { put(&x, 4); }
  void text(const std::string& s);
  void texts(const std::vector<std::string>& all);
};

// The same read again; nothing is taken from beyond the end.
class ByteReader {
 public:
  ByteReader(const std::vector<unsigned char>& bytes, const std::string& path)
      : bytes_(bytes), path_(path) {}

  void get(void* to, std::size_t size);
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
  std::size_t count(std::size_t size);
  std::string text();
  std::vector<std::string> texts();

 private:
  const std::vector<unsigned char>& bytes_;
  const std::string& path_;
  std::size_t at_ = 0;
};

std::vector<unsigned char> encode(DiskHead& head);

DiskHead decode_head(const std::vector<unsigned char>& bytes, const std::string& path);

// What is known from the tail.
struct DiskTail {
  std::vector<DiskChunk> chunks;
  Word labels = 0, weights = 0;  // their checksums
  DiskNotes notes;
};

std::vector<unsigned char> encode(const DiskTail& tail);

// The chunks are those of the head, one after another, and nothing is between them.
DiskTail decode_tail(const std::vector<unsigned char>& bytes, const DiskHead& head,
                     const std::string& path);

}  // namespace dualmargin
