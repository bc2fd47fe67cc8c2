// Rows in a file for a fit: with the centres and scales that its problem asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "border/call.h"
#include "border/disk.h"
#include "border/stored_rows.h"
#include "rows/disk_store.h"

namespace dualmargin::border {

struct RowsOfFile : DiskStore {
  // rows: list(path, checksum, at), `at` from 1, or NULL for all rows
  explicit RowsOfFile(const Rcpp::List& rows)
      : DiskStore(Rcpp::as<std::string>(rows["path"]),
                  word(Rcpp::as<std::string>(rows["checksum"])), numbers(rows["at"])) {}
  // With what the problem of a fit asks for.
  RowsOfFile(const Rcpp::List& rows, const RowVec& weights, FitCall& call,
             const Vec& factor = Vec())
      : RowsOfFile(rows) {
    const Index n = chosen() == nullptr ? file().n() : static_cast<Index>(chosen()->size());
    if (weights.size() != n) throw std::invalid_argument("not as many numbers as rows");
    find_frame(weights.local(), call.problem.flag("scale"),
               call.free() ? Origin::free : Origin::fixed, call.team, factor, call.setup());
  }

 private:
  static Word word(const std::string& hexadecimal) { return std::stoull(hexadecimal, nullptr, 16); }
  static std::optional<std::vector<Index>> numbers(SEXP at) {
    if (Rf_isNull(at)) return std::nullopt;
    std::vector<Index> some;
    for (const double i : Rcpp::NumericVector(at)) some.push_back(static_cast<Index>(i) - 1);
    return some;
  }
};

// Sets of rows are no copies of them.
template <class F>
void with_rows(const RowsOfFile& store, double bias, const RowVec& labels, const RowVec& weights,
               Team& team, F f) {
  store.visit(bias, [&](const auto& data) {
    if (store.chosen() == nullptr) return f(Rows(data, labels, weights, team));
    const RowVec whole = RowVec::Ones(data.n());
    const RowChoice some{*store.chosen(), labels, weights, RowVec()};
    f(Rows(Rows(data, whole, whole, team), some));
  });
}

}  // namespace dualmargin::border
