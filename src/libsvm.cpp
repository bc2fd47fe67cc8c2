// Glue of read_libsvm() and write_libsvm(): R moves the bytes, data/libsvm_reader.h knows the
// format.
#include <Rcpp.h>

#include "rows/libsvm_reader.h"

using namespace dualmargin;

// next_chunk(): the next bytes of the file as a raw vector, empty at its end. A fault of the text
// comes back as list(line, fault), for R to raise.
// [[Rcpp::export(rng = false)]]
Rcpp::List libsvm_read_cpp(Rcpp::Function next_chunk, int features, bool zero_based) {
  LibsvmReader reader(features, zero_based);
  bool closed = true;
  try {
    for (;;) {
      Rcpp::checkUserInterrupt();
      const Rcpp::RawVector chunk = next_chunk();
      if (chunk.size() == 0) break;
      reader.feed(reinterpret_cast<const char*>(&chunk[0]), static_cast<std::size_t>(chunk.size()));
    }
    closed = reader.finish();
  } catch (const LibsvmError& error) {
    return Rcpp::List::create(Rcpp::_["line"] = error.line, Rcpp::_["fault"] = error.what());
  }
  Rcpp::NumericVector y(Rcpp::no_init(static_cast<R_xlen_t>(reader.labels.size())));
  Rcpp::IntegerVector p(Rcpp::no_init(static_cast<R_xlen_t>(reader.starts.size())));
  Rcpp::IntegerVector j(Rcpp::no_init(static_cast<R_xlen_t>(reader.indices.size())));
  Rcpp::NumericVector x(Rcpp::no_init(static_cast<R_xlen_t>(reader.values.size())));
  reader.labels.drain(y.begin());
  reader.starts.drain(p.begin());
  reader.indices.drain(j.begin());
  reader.values.drain(x.begin());
  return Rcpp::List::create(Rcpp::_["y"] = y, Rcpp::_["p"] = p, Rcpp::_["j"] = j, Rcpp::_["x"] = x,
                            Rcpp::_["columns"] = reader.columns(), Rcpp::_["closed"] = closed);
}

// The lines of rows from, ..., to - 1 (from 0) of a matrix in compressed rows.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector libsvm_lines_cpp(Rcpp::IntegerVector p, Rcpp::IntegerVector j,
                                 Rcpp::NumericVector x, Rcpp::NumericVector y, int from, int to,
                                 bool zero_based) {
  std::string text;
  for (int i = from; i < to; ++i) {
    append_libsvm_row(text, y[i], j.begin() + p[i], x.begin() + p[i], p[i + 1] - p[i], zero_based);
  }
  return Rcpp::RawVector(text.begin(), text.end());
}
