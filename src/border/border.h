// The border between R and the core: R objects come in as plain C++ values, reports go out as plain
// lists. Besides the exported functions only this folder and the probes know R.
#pragma once

#include <RcppCommon.h>

#include "base/numeric.h"

// Instead of RcppEigen.h, which doubles what a unit costs to compile.
namespace Rcpp {
template <>
SEXP wrap(const dualmargin::Vec& v);
template <>
SEXP wrap(const dualmargin::Mat& m);
}  // namespace Rcpp

#include <Rcpp/Lightest>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rows/matrix_view.h"
#include "rows/row_vec.h"
#include "run/outcome.h"

namespace Rcpp {
template <>
inline SEXP wrap(const dualmargin::Vec& v) {
  return NumericVector(v.data(), v.data() + v.size());
}
template <>
inline SEXP wrap(const dualmargin::Mat& m) {
  return NumericMatrix(static_cast<int>(m.rows()), static_cast<int>(m.cols()), m.data());
}
}  // namespace Rcpp

namespace dualmargin::border {

// What comes from an object has the length that its rows and columns ask for: one that was changed by
// hand is an error, and nothing is read beyond its end.
void assert_length(const std::string& name, R_xlen_t found, R_xlen_t wanted);

inline Vec vec(const Rcpp::NumericVector& v) { return Eigen::Map<const Vec>(v.begin(), v.size()); }
inline Mat mat(const Rcpp::NumericMatrix& m) {
  return Eigen::Map<const Mat>(m.begin(), m.nrow(), m.ncol());
}

// A base matrix (double, integer, logical), a dgCMatrix or a dgRMatrix, which must outlive the
// view. Starts of R's own are of 32 bits: one for each column, or row, is widened.
MatrixView view(SEXP x);

// The numbers, flags and words of a named list; a missing name is an error, not a silent default.
class Options {
 public:
  explicit Options(const Rcpp::List& list);
  double number(const std::string& name) const { return find(numbers_, name); }
  bool flag(const std::string& name) const { return number(name) != 0; }
  const std::string& text(const std::string& name) const { return find(texts_, name); }

 private:
  template <class Value>
  static const Value& find(const std::map<std::string, Value>& map, const std::string& name) {
    const auto at = map.find(name);
    if (at == map.end()) throw std::invalid_argument("no such option: " + name);
    return at->second;
  }

  std::map<std::string, double> numbers_;
  std::map<std::string, std::string> texts_;
};

// What a fit starts from, if anything: matrices with a column for each class problem.
class WarmStart {
 public:
  explicit WarmStart(SEXP start);
  bool has(const std::string& name) const { return given_.count(name) > 0; }
  // Is there one of class problem k? Else its column is no number.
  bool has(const std::string& name, int k) const {
    if (!has(name)) return false;
    const Mat& all = given_.at(name);
    return all.rows() > 0 && all.cols() > k && !std::isnan(all(0, k));
  }
  const Mat& all(const std::string& name, Index rows, Index columns) const;
  Vec column(const std::string& name, int k, Index rows) const {
    return all(name, rows, k + 1).col(k);
  }
  double number(const std::string& name, int k) const { return all(name, 1, k + 1)(0, k); }

 private:
  std::map<std::string, Mat> given_;
};

// Named numbers on their way out.
struct Fields {
  using Value = std::variant<double, std::vector<int>, Vec, Mat>;

  std::vector<std::pair<const char*, Value>> fields;

  void add(const char* name, Value value) { fields.emplace_back(name, std::move(value)); }
  void add(const char* name, const RowVec& value) { add(name, Value(value.local())); }
  void add_coefficients(const Vec& coefficients) { add("coefficients", coefficients); }
};

Rcpp::List as_list(const Fields& all);

// A report on its way out, R's list as yet to be made.
struct Answer : Outcome, Fields {
  std::string solver;
  bool brief;  // of a point of a path: nothing of length n, and no trace

  Answer(const Outcome& outcome, const char* solver_, bool brief_)
      : Outcome(outcome), solver(solver_), brief(brief_) {
    if (brief) trace = {};
  }
  // Coefficients of the user's columns: for a point of a path those that are not zero, with their
  // places.
  void add_coefficients(const Vec& coefficients) {
    if (!brief) return Fields::add_coefficients(coefficients);
    std::vector<int> place;
    for (Index j = 0; j < coefficients.size(); ++j) {
      if (coefficients[j] != 0) place.push_back(static_cast<int>(j) + 1);
    }
    Vec entry(place.size());
    for (Index k = 0; k < entry.size(); ++k) entry[k] = coefficients[place[k] - 1];
    add("place", std::move(place));
    add("coefficients", std::move(entry));
  }
};

Rcpp::List as_list(const Answer& a);

}  // namespace dualmargin::border
