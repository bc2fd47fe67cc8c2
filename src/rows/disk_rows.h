// A file of rows that is open: what its head and tail say, and its bytes. Whether it is still the
// file that was opened costs one call of the system.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rows/disk_format.h"

namespace dualmargin {

class DiskRows {
 public:
  explicit DiskRows(const std::string& path);

  const std::string& path() const { return file_.path(); }
  const DiskHead& head() const { return head_; }
  const DiskNotes& notes() const { return tail_.notes; }
  const std::vector<DiskChunk>& chunks() const { return tail_.chunks; }
  const FileState& state() const { return state_; }
  Index n() const { return head_.n; }
  Index d() const { return head_.d; }

  void read(void* to, std::size_t size, Word place) const { file_.read(to, size, place); }
  void assert_unchanged() const { assert_same(file_); }
  // For one more stream of it.
  std::unique_ptr<const DiskFile> again() const;

  // The chunk that row i is in; i below n().
  Index chunk_of(Index i) const;

  // Every byte of chunk k is read once, `block` at a time, and held against its checksum. What a
  // method goes by is looked at: starts rise, columns lie within the file's.
  void verify(Index k, std::size_t block = std::size_t{1} << 20) const;

  // The same by the first thread that comes to the chunk, before anything is made of it: what it
  // reads is then in the system's memory for the pass, so that the disk is not asked twice.
  void hold(Index k) const;

  // From row i on, it included.
  Index left_in_chunk(Index i) const;
  // Rows of one chunk, behind those that are there already: ends of rows, columns and values; of
  // dense rows values alone.
  void read_rows(Index first, Index count, std::vector<int>& end, std::vector<int>& column,
                 std::vector<double>& value) const;

  // Starts of all rows among all entries, n + 1; of dense rows none.
  std::vector<Start> starts() const;
  Vec labels() const;
  Vec weights() const;

 private:
  struct Held {
    std::mutex mutex;
    std::atomic<bool> sound{false};
  };

  void assert_same(const DiskFile& file) const;
  Vec numbers(const std::string& what, Word place, Word checksum) const;

  DiskFile file_;
  FileState state_;
  DiskHead head_;
  DiskTail tail_;
  std::unique_ptr<Held[]> held_;  // chunks that fit their checksums
};

}  // namespace dualmargin
