#include "rows/disk_io.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace dualmargin {

#if !defined(_WIN32)

DiskFile::DiskFile(std::string path, Use use) : path_(std::move(path)) {
  const int flags = use == Use::read     ? O_RDONLY
                    : use == Use::create ? O_RDWR | O_CREAT | O_EXCL
                                         : O_RDWR;
  file_ = ::open(path_.c_str(), flags | O_CLOEXEC, 0666);
  if (file_ < 0) fail("cannot be opened");
}

DiskFile::~DiskFile() {
  if (file_ >= 0) ::close(file_);
}

void DiskFile::read(void* to, std::size_t size, std::uint64_t offset) const {
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(file_, at, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot be read");
    if (got == 0) throw RowsFileError(path_, "is cut off: it ends before its rows do");
    at += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

void DiskFile::expect_order() const {
#if defined(POSIX_FADV_SEQUENTIAL)
  ::posix_fadvise(file_, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

void DiskFile::write(const void* from, std::size_t size, std::uint64_t offset) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t put = ::pwrite(file_, at, size, static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) fail("cannot be written");
    at += put;
    offset += static_cast<std::uint64_t>(put);
    size -= static_cast<std::size_t>(put);
  }
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

void DiskFile::fail(const char* what) const {
  throw RowsFileError(path_, std::string(what) + " (" + std::strerror(errno) + ")");
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

void remove_file(const std::string& path) { std::remove(path.c_str()); }

#else  // Windows: written from the documentation of the calls, not run where this was developed

namespace {

std::wstring wide_path(const std::string& path) {
  const int size = MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, nullptr, 0);
  std::wstring wide(static_cast<std::size_t>(size > 0 ? size : 1), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, &wide[0], size);
  return wide;
}

DWORD piece(std::size_t size) { return static_cast<DWORD>(size < (1u << 30) ? size : (1u << 30)); }
OVERLAPPED at_offset(std::uint64_t offset) {
  OVERLAPPED place = {};
  place.Offset = static_cast<DWORD>(offset & 0xffffffffu);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

}  // namespace

DiskFile::DiskFile(std::string path, Use use) : path_(std::move(path)) {
  const DWORD access = use == Use::read ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE;
  const DWORD how = use == Use::create ? CREATE_NEW : OPEN_EXISTING;
  file_ = CreateFileW(wide_path(path_).c_str(), access, FILE_SHARE_READ | FILE_SHARE_DELETE,
                      nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file_ == INVALID_HANDLE_VALUE) fail("cannot be opened");
}

DiskFile::~DiskFile() {
  if (file_ != INVALID_HANDLE_VALUE) CloseHandle(file_);
}

void DiskFile::read(void* to, std::size_t size, std::uint64_t offset) const {
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    OVERLAPPED place = at_offset(offset);
    DWORD got = 0;
    if (!ReadFile(file_, at, piece(size), &got, &place) && GetLastError() != ERROR_HANDLE_EOF) {
      fail("cannot be read");
    }
    if (got == 0) throw RowsFileError(path_, "is cut off: it ends before its rows do");
    at += got;
    offset += got;
    size -= got;
  }
}

void DiskFile::expect_order() const {}

void DiskFile::write(const void* from, std::size_t size, std::uint64_t offset) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    OVERLAPPED place = at_offset(offset);
    DWORD put = 0;
    if (!WriteFile(file_, at, piece(size), &put, &place) || put == 0) fail("cannot be written");
    at += put;
    offset += put;
    size -= put;
  }
}

void DiskFile::settle() {
  if (!FlushFileBuffers(file_)) fail("cannot be written");
}

FileState DiskFile::state() const {
  LARGE_INTEGER size;
  FILETIME changed;
  if (!GetFileSizeEx(file_, &size) || !GetFileTime(file_, nullptr, nullptr, &changed)) {
    fail("cannot be looked at");
  }
  const auto high = static_cast<std::int64_t>(changed.dwHighDateTime) << 32;
  return {static_cast<std::uint64_t>(size.QuadPart), high | changed.dwLowDateTime, 0};
}

void DiskFile::fail(const char* what) const {
  throw RowsFileError(
      path_, std::string(what) + " (error " + std::to_string(GetLastError()) + " of Windows)");
}

void put_in_place(const std::string& from, const std::string& to) {
  const DWORD how = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
  if (MoveFileExW(wide_path(from).c_str(), wide_path(to).c_str(), how)) return;
  throw RowsFileError(
      to, "cannot be put in place (error " + std::to_string(GetLastError()) + " of Windows)");
}

void remove_file(const std::string& path) { DeleteFileW(wide_path(path).c_str()); }

#endif

}  // namespace dualmargin
