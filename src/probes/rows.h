// For the tests: rows and columns whose starts lie beyond 2^31, without the entries before them.
#pragma once

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <numeric>
#include <vector>

#include "border/border.h"
#include "probes/probe.h"
#include "rows/columns.h"
#include "rows/row_store.h"
#include "rows/rows.h"

namespace dualmargin::probes {

// An array of which only the end can be touched: the rest is address space without memory.
template <class T>
class FarArray {
 public:
  FarArray(const T* values, Index count, Index before)
      : bytes_(static_cast<std::size_t>(before + count) * sizeof(T)) {
#if defined(__unix__) || defined(__APPLE__)
    void* base = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return;
    base_ = static_cast<T*>(base);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t head = static_cast<std::size_t>(before) * sizeof(T) / page * page;
    if (mprotect(static_cast<char*>(base) + head, bytes_ - head, PROT_READ | PROT_WRITE) != 0) {
      return;
    }
    std::copy(values, values + count, base_ + before);
    made_ = true;
#else
    static_cast<void>(values);
#endif
  }
  ~FarArray() {
#if defined(__unix__) || defined(__APPLE__)
    if (base_ != nullptr) munmap(base_, bytes_);
#endif
  }
  FarArray(const FarArray&) = delete;

  explicit operator bool() const { return made_; }
  const T* data() const { return base_; }

 private:
  std::size_t bytes_;
  T* base_ = nullptr;
  bool made_ = false;
};

// What is made of compressed rows with `before` entries before the first of them, and of the same
// arrays as compressed columns; no list where the system gives no address space.
inline Rcpp::List probe_far_starts(SEXP x, double before, Rcpp::NumericVector w,
                                   Rcpp::NumericVector c) {
  MatrixView view = border::view(x);
  const Index count = view.stored(), skipped = static_cast<Index>(before);
  const FarArray<int> index(view.index, count, skipped);
  const FarArray<double> value(view.real, count, skipped);
  if (!index || !value) return Rcpp::List();
  std::vector<Start> start(view.start, view.start + view.n + 1);
  for (Start& s : start) s += skipped;
  view.start = start.data();
  view.index = index.data();
  view.real = value.data();

  const RowVec weights(Vec::LinSpaced(view.n, 1, 2)), ones = RowVec::Ones(view.n);
  const Vec v = border::vec(w);
  const RowVec coef(border::vec(c));
  Team team;
  Run run = quiet_run();
  Tick& tick = run.tick();
  Rcpp::List out;
  const auto passes = [&](const auto& data, const char* name) {
    const Rows rows(data, ones, weights, team);
    Mat gram = Mat::Zero(rows.dim(), rows.dim());
    std::vector<Index> all(view.n), map(rows.dim());
    std::iota(all.begin(), all.end(), Index{0});
    std::iota(map.begin(), map.end(), Index{0});
    rows.gram(all, weights, map, gram, tick);
    Vec one = Vec::Zero(rows.dim());
    rows.axpy(1, 2.0, one);
    out[name] = Rcpp::List::create(
        rows.multiply(v, tick).local(), rows.transpose_multiply(coef, tick), gram,
        rows.squared_norms().local(),
        rows.column_squares(weights, tick), rows.normal_multiply(weights, v, 1, tick).image, one,
        rows.nonzeros());
    return 0;
  };
  passes(Sparse(view.start, view.index, view.real, view.n, view.p, 1), "rows");
  RowStore scaled(view, weights, true);
  out["largest"] = scaled.largest();
  scaled.divide(4);
  scaled.visit(1, [&](const auto& data) { return passes(data, "scaled"); });
  const RowStore plain(view, weights, false);
  plain.visit(1, [&](const auto& data) { return passes(data, "plain"); });
  out["scales"] = scaled.scales();
  out["centres"] = exact_centres(view.n, view.p, [&](auto f) { view.for_each(f); });

  const Transposed by_columns(view, [](Index, double entry) { return entry; });
  const auto use = [&](const Columns& columns, const char* name) {
    Vec products(columns.dim()), sum = Vec::Zero(columns.n());
    const Vec ends = Vec::LinSpaced(columns.n(), -1, 1);
    for (Index j = 0; j < columns.dim(); ++j) {
      products[j] = columns.dot(j, ends);
      columns.axpy(j, products[j], sum);
      columns.axpy(j, 1, ends, sum);
      sum[0] += columns.moments(j, ends).second + static_cast<double>(columns.nonzeros(j));
    }
    out[name] = Rcpp::List::create(products, sum, columns.nonzeros());
  };
  const Vec none = Vec::Zero(view.n), same = Vec::Ones(view.n);
  use(Columns::sparse(view.start, view.index, view.real, view.p, none, same, 1), "columns");
  const Vec zeros = Vec::Zero(view.p), units = Vec::Ones(view.p);
  use(Columns::sparse(by_columns.start.data(), by_columns.index.get(), by_columns.value.get(),
                      view.n, zeros, units, 1),
      "transposed");
  return out;
}

inline void add_probes(Table& table) { table.add("far_starts", probe_far_starts); }

}  // namespace dualmargin::probes
