#include "rows/decimal.h"

#include <cfloat>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>

// Not every C++17 library converts doubles in <charconv>; the C functions are the other way.
#if defined(__cpp_lib_to_chars) && !defined(DUALMARGIN_NO_CHARCONV)
#define DUALMARGIN_HAS_CHARCONV
#endif

namespace dualmargin {

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto place = text.find(from);
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

// [begin, end) is an unsigned decimal number of any length.
double read_long_decimal(const char* begin, const char* end) {
#ifdef DUALMARGIN_HAS_CHARCONV
  double value = 0;
  if (std::from_chars(begin, end, value).ec == std::errc()) return value;  // else out of range
#endif
  const std::string text = replaced({begin, end}, ".", std::localeconv()->decimal_point);
  return std::strtod(text.c_str(), nullptr);
}

}  // namespace

const char* read_decimal(const char* begin, const char* end, double& value) {
  static constexpr double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  constexpr std::uint64_t room = (UINT64_MAX - 9) / 10;
  constexpr bool rounds_once = FLT_EVAL_METHOD == 0;

  const char* at = begin;
  const bool negative = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;
  const char* const unsigned_begin = at;

  std::uint64_t mantissa = 0;
  std::int64_t exponent = 0;
  bool complete = true, any = false;
  const auto digits = [&](int step) {  // step: what a digit that is kept does to the exponent
    for (; at != end && is_digit(*at); ++at) {
      any = true;
      if (mantissa <= room) {
        mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at - '0');
        exponent += step;
      } else {
        complete = false;
      }
    }
  };
  digits(0);
  if (at != end && *at == '.') {
    ++at;
    digits(-1);
  }
  if (!any) return begin;
  if (at != end && (*at == 'e' || *at == 'E')) {
    const char* power_at = at + 1;
    const bool down = power_at != end && *power_at == '-';
    if (power_at != end && (*power_at == '-' || *power_at == '+')) ++power_at;
    if (power_at != end && is_digit(*power_at)) {
      std::int64_t written = 0;
      for (; power_at != end && is_digit(*power_at); ++power_at) {
        if (written < INT64_C(1000000000000)) written = 10 * written + (*power_at - '0');
      }
      exponent += down ? -written : written;
      at = power_at;
    }
  }

  double size;
  if (complete && mantissa == 0) {
    size = 0;
  } else if (rounds_once && complete && mantissa < exact && exponent >= -22 && exponent <= 22) {
    const double m = static_cast<double>(mantissa);
    size = exponent < 0 ? m / power[-exponent] : m * power[exponent];
  } else {
    size = read_long_decimal(unsigned_begin, at);
  }
  value = negative ? -size : size;
  return at;
}

void append_integer(std::string& out, std::int64_t value) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void append_decimal(std::string& out, double value) {
  const bool negative_zero = value == 0 && std::signbit(value);
  if (std::abs(value) < 1e15 && value == std::trunc(value) && !negative_zero) {
    return append_integer(out, static_cast<std::int64_t>(value));
  }
  char text[32];
#ifdef DUALMARGIN_HAS_CHARCONV
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
#else
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  out += replaced(text, std::localeconv()->decimal_point, ".");
#endif
}

}  // namespace dualmargin
