// What is asked of data before and after a fit: text in LIBSVM's format, means and scales of
// columns, what tells rows from others, what the machine has.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "border/border.h"
#include "border/checksum.h"
#include "rows/column_scale.h"
#include "rows/distinct_rows.h"
#include "rows/libsvm_reader.h"
#include "rows/row_hash.h"

using namespace dualmargin;

// Bytes, or NA where the system does not say.
// [[Rcpp::export(rng = false)]]
double physical_memory_cpp() {
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
  const double size = static_cast<double>(sysconf(_SC_PAGESIZE));
  if (pages > 0 && size > 0) return pages * size;
#endif
  return NA_REAL;
}

// NA where the system does not say.
// [[Rcpp::export(rng = false)]]
double processors_cpp() {
  const double count = std::thread::hardware_concurrency();
  return count > 0 ? count : NA_REAL;
}

// Weighted means and population standard deviations of columns, what they are divided by (1 for a
// constant one), and what can be taken from them without rounding.
// [[Rcpp::export(rng = false)]]
Rcpp::List column_frame_cpp(SEXP x, const Rcpp::NumericVector& weights) {
  const MatrixView rows = border::view(x);
  Vec mean(rows.p), sd(rows.p), scale(rows.p);
  Team team;
  for_each_spread(rows, border::vec(weights), team, [&](Index j, const ColumnSpread& spread) {
    mean[j] = spread.mean();
    sd[j] = spread.sd();
    scale[j] = spread.scale();
  });
  return Rcpp::List::create(Rcpp::Named("mean") = mean, Rcpp::Named("sd") = sd,
                            Rcpp::Named("scale") = scale);
}

// How many rows are distinct and have weight, and how many columns are not constant in these.
// [[Rcpp::export(rng = false)]]
Rcpp::List distinct_size_cpp(SEXP x, const Rcpp::NumericVector& weights) {
  Team team;
  Tick tick(Rcpp::checkUserInterrupt, Tick::Clock::now(), HUGE_VAL);
  const DistinctRows rows(border::view(x), border::vec(weights), team, tick);
  return Rcpp::List::create(Rcpp::Named("rows") = static_cast<double>(rows.size()),
                            Rcpp::Named("columns") = static_cast<double>(rows.columns()));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector exact_centres_cpp(SEXP x) {
  Team team;
  return Rcpp::wrap(exact_centres(border::view(x), team));
}

// LIBSVM: R moves the bytes, rows/libsvm_reader.h knows the format.
// next_chunk(): the next bytes of the file as a raw vector, empty at its end. A fault of the text
// comes back as list(line, fault), for R to raise.
// [[Rcpp::export(rng = false)]]
Rcpp::List libsvm_read_cpp(Rcpp::Function next_chunk, int features, bool zero_based,
                           bool skip_qid) {
  LibsvmReader reader(features, zero_based, skip_qid);
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

// What tells values from others: numbers, words, and lists of them.
// [[Rcpp::export(rng = false)]]
std::string checksum_cpp(SEXP x) {
  Checksum sum;
  border::add(sum, x);
  return border::hexadecimal(sum.value());
}

// What tells a set of rows from others, in whatever order they come and however they are stored:
// the sum over rows of a hash of each, which is a sum over its entries other than 0 and its
// response. of_rows: these sums over entries, and the key of the response, as a scan of x finds
// them; y: NULL or a number a row; used: NULL or which rows are summed a second time; partial: NULL or
// the sum of other rows, to go on from. Hexadecimal, and the number of distinct rows where it is
// asked for.
// [[Rcpp::export(rng = false)]]
Rcpp::List row_hash_cpp(const Rcpp::RawVector& of_rows, SEXP y, SEXP used, bool distinct,
                        SEXP partial) {
  std::vector<std::uint64_t> hash(static_cast<std::size_t>(of_rows.size()) / sizeof(std::uint64_t));
  if (hash.empty()) throw std::invalid_argument("no hash of rows");
  std::memcpy(hash.data(), of_rows.begin(), hash.size() * sizeof hash[0]);
  const std::uint64_t key = hash.back();
  hash.pop_back();
  const auto n = static_cast<Index>(hash.size());
  const double* response = Rf_isNull(y) ? nullptr : REAL(y);
  const int* kept = Rf_isNull(used) ? nullptr : LOGICAL(used);
  std::uint64_t all = 0, some = 0;
  if (!Rf_isNull(partial)) all = std::stoull(Rcpp::as<std::string>(partial), nullptr, 16);
  for (Index i = 0; i < n; ++i) {
    if (response != nullptr) hash[i] += entry_hash(key, response[i]);
    hash[i] = mix64(hash[i] + golden64);
    all += hash[i];
    if (kept != nullptr && kept[i] != 0) some += hash[i];
  }
  Rcpp::List found = Rcpp::List::create(Rcpp::_["all"] = border::hexadecimal(all));
  if (kept != nullptr) found["used"] = border::hexadecimal(some);
  if (distinct) {
    std::sort(hash.begin(), hash.end());
    found["distinct"] = static_cast<double>(std::unique(hash.begin(), hash.end()) - hash.begin());
  }
  return found;
}
