// Checksums of what comes from R.
#pragma once

#include <cstring>
#include <string>

#include "border/border.h"
#include "rows/checksum.h"

namespace dualmargin::border {

inline std::string hexadecimal(std::uint64_t x) {
  std::string text(16, '0');
  for (int k = 15; k >= 0; --k, x >>= 4) text[k] = "0123456789abcdef"[x & 15];
  return text;
}

// Numbers, words, and lists of them, with their names and extents.
inline void add(Checksum& sum, SEXP x) {
  const std::int64_t head[2] = {TYPEOF(x), static_cast<std::int64_t>(Rf_xlength(x))};
  sum.add(head, sizeof head);
  const auto size = static_cast<std::size_t>(head[1]);
  switch (TYPEOF(x)) {
    case NILSXP:
      return;
    case REALSXP:
      sum.add(REAL(x), 8 * size);
      break;
    case INTSXP:
      sum.add(INTEGER(x), 4 * size);
      break;
    case LGLSXP:
      sum.add(LOGICAL(x), 4 * size);
      break;
    case STRSXP:
      for (R_xlen_t k = 0; k < head[1]; ++k) {
        const char* word = Rf_translateCharUTF8(STRING_ELT(x, k));
        sum.add(word, std::strlen(word) + 1);
      }
      break;
    case VECSXP:
      for (R_xlen_t k = 0; k < head[1]; ++k) add(sum, VECTOR_ELT(x, k));
      break;
    default:
      throw std::invalid_argument("neither numbers nor words nor a list of them");
  }
  add(sum, Rf_getAttrib(x, R_NamesSymbol));
  add(sum, Rf_getAttrib(x, R_DimSymbol));
}

}  // namespace dualmargin::border
