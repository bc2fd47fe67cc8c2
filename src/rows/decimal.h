// Decimal text to double and back, correctly rounded, whatever the locale of the session.
#pragma once

#include <cstdint>
#include <string>

namespace dualmargin {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads the number at the start of [begin, end) and returns where it ends, `begin` if there is
// none. With mantissa < 2^53 and |exponent| <= 22 both factors are exact, so one operation rounds
// once.
const char* read_decimal(const char* begin, const char* end, double& value);

void append_integer(std::string& out, std::int64_t value);

// The shortest text that reads back as the same double.
void append_decimal(std::string& out, double value);

}  // namespace dualmargin
