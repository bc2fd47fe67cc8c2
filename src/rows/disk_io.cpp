#include "rows/disk_io.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <filesystem>
#else
#include <unistd.h>
#endif

namespace dualmargin {

#if defined(_WIN32)

// R's names of files are those of the system there, in UTF-8. A place and a transfer are two calls,
// so threads take turns.
namespace {

constexpr int own_flags = _O_BINARY | _O_NOINHERIT;
constexpr int mode = _S_IREAD | _S_IWRITE;

unsigned piece(std::size_t size) {
  return static_cast<unsigned>(std::min(size, std::size_t{1} << 30));
}

}  // namespace

long long DiskFile::read_some(void* to, std::size_t size, std::uint64_t offset) const {
  const std::lock_guard<std::mutex> turn(mutex_);
  if (::_lseeki64(file_, static_cast<long long>(offset), SEEK_SET) < 0) return -1;
  return ::_read(file_, to, piece(size));
}

long long DiskFile::write_some(const void* from, std::size_t size, std::uint64_t offset) {
  const std::lock_guard<std::mutex> turn(mutex_);
  if (::_lseeki64(file_, static_cast<long long>(offset), SEEK_SET) < 0) return -1;
  return ::_write(file_, from, piece(size));
}

void DiskFile::expect_order() const {}

void DiskFile::settle() {
  if (::_commit(file_) != 0) fail("cannot be written");
}

FileState DiskFile::state() const {
  BY_HANDLE_FILE_INFORMATION found;
  if (!GetFileInformationByHandle(reinterpret_cast<HANDLE>(::_get_osfhandle(file_)), &found)) {
    errno = EIO;
    fail("cannot be looked at");
  }
  const auto joined = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
  const FILETIME& changed = found.ftLastWriteTime;
  return {joined(found.nFileSizeHigh, found.nFileSizeLow),
          static_cast<std::int64_t>(joined(changed.dwHighDateTime, changed.dwLowDateTime)),
          joined(found.nFileIndexHigh, found.nFileIndexLow)};
}

void put_in_place(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::rename(std::filesystem::u8path(from), std::filesystem::u8path(to), error);
  if (error) throw RowsFileError(to, "cannot be put in place (" + error.message() + ")");
}

#else

namespace {

constexpr int own_flags = O_CLOEXEC;
constexpr int mode = 0666;

}  // namespace

long long DiskFile::read_some(void* to, std::size_t size, std::uint64_t offset) const {
  return ::pread(file_, to, size, static_cast<off_t>(offset));
}

long long DiskFile::write_some(const void* from, std::size_t size, std::uint64_t offset) {
  return ::pwrite(file_, from, size, static_cast<off_t>(offset));
}

void DiskFile::expect_order() const {
#if defined(POSIX_FADV_SEQUENTIAL)
  ::posix_fadvise(file_, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

void DiskFile::settle() {
  if (::fsync(file_) != 0) fail("cannot be written");
}

FileState DiskFile::state() const {
  struct stat s;
  if (::fstat(file_, &s) != 0) fail("cannot be looked at");
#if defined(__APPLE__)
  const auto& changed = s.st_mtimespec;
#else
  const auto& changed = s.st_mtim;
#endif
  return {static_cast<std::uint64_t>(s.st_size),
          static_cast<std::int64_t>(changed.tv_sec) * 1000000000 + changed.tv_nsec,
          static_cast<std::uint64_t>(s.st_ino)};
}

void put_in_place(const std::string& from, const std::string& to) {
  const auto fail = [&] {
    throw RowsFileError(to, std::string("cannot be put in place (") + std::strerror(errno) + ")");
  };
  if (std::rename(from.c_str(), to.c_str()) != 0) fail();
  const std::size_t end = to.find_last_of('/');
  const std::string folder = end == std::string::npos ? "." : to.substr(0, end + 1);
  const int handle = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) fail();
  const bool settled = ::fsync(handle) == 0 || errno == EINVAL;
  const int said = errno;
  ::close(handle);
  errno = said;
  if (!settled) fail();
}

#endif

DiskFile::DiskFile(std::string path, Use use) : path_(std::move(path)) {
  const int flags = use == Use::read     ? O_RDONLY
                    : use == Use::create ? O_RDWR | O_CREAT | O_EXCL
                                         : O_RDWR;
  file_ = ::open(path_.c_str(), flags | own_flags, mode);
  if (file_ < 0) fail("cannot be opened");
}

DiskFile::~DiskFile() {
  if (file_ >= 0) ::close(file_);
}

void DiskFile::read(void* to, std::size_t size, std::uint64_t offset) const {
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    const long long got = read_some(at, size, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot be read");
    if (got == 0) throw RowsFileError(path_, "is cut off: it ends before its rows do");
    at += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

void DiskFile::write(const void* from, std::size_t size, std::uint64_t offset) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    const long long put = write_some(at, size, offset);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) fail("cannot be written");
    at += put;
    offset += static_cast<std::uint64_t>(put);
    size -= static_cast<std::size_t>(put);
  }
}

void DiskFile::fail(const char* what) const {
  throw RowsFileError(path_, std::string(what) + " (" + std::strerror(errno) + ")");
}

void remove_file(const std::string& path) { std::remove(path.c_str()); }

}  // namespace dualmargin
