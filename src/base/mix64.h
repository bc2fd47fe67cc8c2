// The mixing function of splitmix64 (Steele, Lea and Flood 2014, OOPSLA, 453-472).
#pragma once

#include <cstdint>

namespace dualmargin {

inline std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
constexpr std::uint64_t golden64 = 0x9e3779b97f4a7c15ULL;  // 2^64 (sqrt(5) - 1) / 2, odd

}  // namespace dualmargin
