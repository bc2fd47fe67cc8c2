#include "rows/checksum.h"

#include <cstring>

#include "base/mix64.h"

namespace dualmargin {

void Checksum::add(const void* data, std::size_t size) {
  const auto* from = static_cast<const unsigned char*>(data);
  total_ += size;
  if (held_ > 0) {
    const std::size_t taken = size < width - held_ ? size : width - held_;
    std::memcpy(rest_ + held_, from, taken);
    held_ += taken;
    from += taken;
    size -= taken;
    if (held_ < width) return;
    block(rest_);
    held_ = 0;
  }
  for (; size >= width; size -= width, from += width) block(from);
  std::memcpy(rest_, from, size);
  held_ = size;
}

std::uint64_t Checksum::value() const {
  Checksum last = *this;
  if (last.held_ > 0) {
    std::memset(last.rest_ + last.held_, 0, width - last.held_);
    last.block(last.rest_);
  }
  std::uint64_t h = mix64(total_ + golden64);
  for (const std::uint64_t lane : last.lane_) h = mix64(h ^ lane) + golden64;
  return h;
}

void Checksum::block(const unsigned char* from) {
  std::uint64_t word[4];
  std::memcpy(word, from, width);
  for (int k = 0; k < 4; ++k) {
    const std::uint64_t h = (lane_[k] ^ word[k]) * golden64;
    lane_[k] = h << 31 | h >> 33;
  }
}

std::uint64_t checksum_of(const void* data, std::size_t size) {
  Checksum sum;
  sum.add(data, size);
  return sum.value();
}

}  // namespace dualmargin
