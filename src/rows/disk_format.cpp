#include "rows/disk_format.h"

#include <algorithm>
#include <cstring>

#include "rows/checksum.h"

namespace dualmargin {

void ByteWriter::put(const void* from, std::size_t size) {
  const auto* first = static_cast<const unsigned char*>(from);
  bytes.insert(bytes.end(), first, first + size);
}

void ByteWriter::text(const std::string& s) {
  word(s.size());
  put(s.data(), s.size());
}

void ByteWriter::texts(const std::vector<std::string>& all) {
  word(all.size());
  for (const std::string& s : all) text(s);
}

void ByteReader::get(void* to, std::size_t size) {
  if (size > bytes_.size() - at_) throw RowsFileError(path_, "is damaged: its tail is too short");
  if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
  at_ += size;
}

std::size_t ByteReader::count(std::size_t size) {
  const Word many = word();
  if (many > (bytes_.size() - at_) / size) {
    throw RowsFileError(path_, "is damaged: its tail names more than it holds");
  }
  return static_cast<std::size_t>(many);
}

std::string ByteReader::text() {
  std::string s(count(1), '\0');
  get(&s[0], s.size());
  return s;
}

std::vector<std::string> ByteReader::texts() {
  std::vector<std::string> all(count(8));
  for (std::string& s : all) s = text();
  return all;
}

Word DiskChunk::columns(const DiskHead& h) const {
  return starts() + (h.sparse ? 8 * (rows + 1) : 0);
}

Word DiskChunk::values(const DiskHead& h) const {
  return columns(h) + (h.sparse ? (4 * entries + 7) / 8 * 8 : 0);
}

bool little_endian() {
  const std::uint16_t one = 1;
  unsigned char first;
  std::memcpy(&first, &one, 1);
  return first == 1;
}

std::vector<unsigned char> encode(DiskHead& head) {
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

DiskHead decode_head(const std::vector<unsigned char>& bytes, const std::string& path) {
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

std::vector<unsigned char> encode(const DiskTail& tail) {
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

DiskTail decode_tail(const std::vector<unsigned char>& bytes, const DiskHead& head,
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
