// A checksum of bytes that come in pieces: any change of up to 64 neighbouring bits is found, any
// other but for one in 2^64. Four lanes of eight bytes, so that it costs less than the reading.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dualmargin {

class Checksum {
 public:
  void add(const void* data, std::size_t size);
  std::uint64_t value() const;

 private:
  static constexpr std::size_t width = 32;

  // One to one in the word and in the lane before it.
  void block(const unsigned char* from);

  std::uint64_t lane_[4] = {1, 2, 3, 4}, total_ = 0;
  unsigned char rest_[width] = {};
  std::size_t held_ = 0;
};

std::uint64_t checksum_of(const void* data, std::size_t size);

}  // namespace dualmargin
