// Files of rows across the border. What is wrong with one comes back as list(fault, path, chunk,
// row), for R to raise.
#pragma once

#include <string>
#include <vector>

#include "border/checksum.h"
#include "rows/disk_rows.h"

namespace dualmargin::border {

template <class F>
Rcpp::List or_fault(F f) {
  try {
    return f();
  } catch (const RowsFileError& error) {
    return Rcpp::List::create(Rcpp::_["fault"] = error.what(), Rcpp::_["path"] = error.path,
                              Rcpp::_["chunk"] = error.chunk, Rcpp::_["row"] = error.row);
  }
}

inline Rcpp::CharacterVector texts(const std::vector<std::string>& all) {
  Rcpp::CharacterVector out(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto size = static_cast<int>(all[k].size());
    SET_STRING_ELT(out, k, Rf_mkCharLenCE(all[k].data(), size, CE_UTF8));
  }
  return out;
}
inline std::vector<std::string> texts(const Rcpp::CharacterVector& all) {
  std::vector<std::string> out;
  for (R_xlen_t k = 0; k < all.size(); ++k) {
    out.emplace_back(Rf_translateCharUTF8(STRING_ELT(all, k)));
  }
  return out;
}

inline Rcpp::List info(const DiskRows& rows) {
  const DiskHead& head = rows.head();
  const DiskNotes& notes = rows.notes();
  Rcpp::RawVector extra(notes.extra.begin(), notes.extra.end());
  return Rcpp::List::create(
      Rcpp::_["path"] = rows.path(), Rcpp::_["sparse"] = head.sparse,
      Rcpp::_["n"] = static_cast<double>(head.n), Rcpp::_["d"] = static_cast<double>(head.d),
      Rcpp::_["entries"] = static_cast<double>(head.entries),
      Rcpp::_["chunks"] = static_cast<double>(head.chunks),
      Rcpp::_["bytes"] = static_cast<double>(rows.state().bytes), Rcpp::_["labels"] = head.labels,
      Rcpp::_["weights"] = head.weights, Rcpp::_["task"] = notes.task,
      Rcpp::_["levels"] = texts(notes.levels), Rcpp::_["names"] = texts(notes.names),
      Rcpp::_["extra"] = extra, Rcpp::_["checksum"] = hexadecimal(head.checksum));
}

}  // namespace dualmargin::border
