// The system calls behind rows on disk, and no others: bytes at an offset of a file that is read by
// several threads, bytes at the end of one that is written. A short read is an error and not a
// signal, as it would be of a mapped file that someone cuts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace dualmargin {

// What is wrong with a file of rows, or what the system says of it; where it is known, with chunk
// and row, from 1.
struct RowsFileError : std::runtime_error {
  std::string path;
  double chunk, row;
  RowsFileError(std::string path_, const std::string& fault, double chunk_ = 0, double row_ = 0)
      : std::runtime_error(fault), path(std::move(path_)), chunk(chunk_), row(row_) {}
};

struct FileState {
  std::uint64_t bytes;
  std::int64_t changed;  // when, in the system's unit
  std::uint64_t id;      // of the file behind the name, where the system tells it
  bool operator==(const FileState& other) const {
    return bytes == other.bytes && changed == other.changed && id == other.id;
  }
};

class DiskFile {
 public:
  enum class Use { read, create, append };

  DiskFile(std::string path, Use use);
  ~DiskFile();
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;

  const std::string& path() const { return path_; }

  void read(void* to, std::size_t size, std::uint64_t offset) const;
  // It will be read from one end to the other: the system reads on while a part is used.
  void expect_order() const;
  void write(const void* from, std::size_t size, std::uint64_t offset);
  // Down to the disk, so that a full one is known now.
  void settle();
  FileState state() const;

 private:
  // One call of the system: the bytes that it moved, or -1.
  long long read_some(void* to, std::size_t size, std::uint64_t offset) const;
  long long write_some(const void* from, std::size_t size, std::uint64_t offset);
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  int file_;
#if defined(_WIN32)
  mutable std::mutex mutex_;  // of the place in the file
#endif
};

// In the place of what is there; where the file is settled, also after a power cut, since the name
// goes down to the disk too. Some file systems cannot settle a folder, and say EINVAL.
void put_in_place(const std::string& from, const std::string& to);
void remove_file(const std::string& path);

}  // namespace dualmargin
