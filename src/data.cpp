// What is asked of data before and after a fit: text in LIBSVM's format, means and scales of
// columns, the slots of matrices of package Matrix, what the machine has.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
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

// ---- What is wrong with the slots of a matrix of package Matrix ----
//
// R builds these objects without a check and lets anyone assign to their slots, while both Matrix
// and our core index by them.
namespace {

// The first fault of one object, or none.
class Slots {
 public:
  explicit Slots(SEXP object) : object_(object) {}

  bool sound() const { return fault_.empty(); }
  Rcpp::List fault() const {
    return Rcpp::List::create(Rcpp::_["slot"] = slot_, Rcpp::_["fault"] = fault_);
  }
  void fail(const char* slot, const std::string& fault) {
    if (!sound()) return;
    slot_ = slot;
    fault_ = fault;
  }

  SEXP get(const char* slot) const { return Rf_getAttrib(object_, Rf_install(slot)); }

  // A slot of this type, or R's NULL after a complaint.
  SEXP of_type(const char* slot, SEXPTYPE type) {
    SEXP value = get(slot);
    if (TYPEOF(value) == static_cast<int>(type)) return value;
    fail(slot, Rf_isNull(value) ? "is missing"
                                : std::string("holds type ") + Rf_type2char(TYPEOF(value)) +
                                      " in the place of " + Rf_type2char(type));
    return R_NilValue;
  }

  void length(const char* slot, double wanted, const char* what) {
    if (!sound()) return;
    const double have = static_cast<double>(Rf_xlength(get(slot)));
    if (have != wanted) {
      fail(slot,
           "has length " + number(have) + " where " + number(wanted) + " is right (" + what + ")");
    }
  }

  bool letter(const char* slot, const char* first, const char* second) {
    SEXP value = of_type(slot, STRSXP);
    if (!sound()) return false;
    const std::string text = Rf_xlength(value) == 1 ? CHAR(STRING_ELT(value, 0)) : "";
    if (text != first && text != second) {
      fail(slot, std::string("must be \"") + first + "\" or \"" + second + "\"");
    }
    return text == second;
  }

  // Whole numbers from `low` to below `end`.
  void indices(const char* slot, SEXP value, int low, double end) {
    if (!sound()) return;
    const int* at = INTEGER(value);
    const R_xlen_t size = Rf_xlength(value);
    const auto beyond = static_cast<std::int64_t>(end);
    for (R_xlen_t k = 0; k < size; ++k) {
      if (at[k] >= low && at[k] < beyond) continue;
      fail(slot, "has " + entry(at[k]) + " at position " + number(static_cast<double>(k) + 1) +
                     ", which is not from " + number(low) + " to " + number(end - 1));
      return;
    }
  }

  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
  }
  static std::string entry(int value) { return value == NA_INTEGER ? "NA" : number(value); }

 private:
  SEXP object_;
  std::string slot_, fault_;
};

struct Size {
  int rows = 0, columns = 0;
};

Size size_of(Slots& slots) {
  SEXP dim = slots.of_type("Dim", INTSXP);
  slots.length("Dim", 2, "rows and columns");
  if (!slots.sound()) return Size();
  for (int k = 0; k < 2; ++k) {
    if (INTEGER(dim)[k] < 0) {
      slots.fail("Dim", "has " + Slots::entry(INTEGER(dim)[k]) + " at position " +
                            Slots::number(k + 1) + ", which is no number of rows or columns");
    }
  }
  return Size{INTEGER(dim)[0], INTEGER(dim)[1]};
}

void check_names(Slots& slots, const Size& size) {
  SEXP names = slots.of_type("Dimnames", VECSXP);
  slots.length("Dimnames", 2, "names of rows and columns");
  for (int k = 0; k < 2 && slots.sound(); ++k) {
    SEXP one = VECTOR_ELT(names, k);
    const double wanted = k == 0 ? size.rows : size.columns;
    if (Rf_isNull(one)) continue;
    if (TYPEOF(one) != STRSXP) {
      slots.fail("Dimnames", std::string("holds type ") + Rf_type2char(TYPEOF(one)) +
                                 " in the place of character");
    } else if (Rf_xlength(one) != 0 && static_cast<double>(Rf_xlength(one)) != wanted) {
      slots.fail("Dimnames", "has " + Slots::number(static_cast<double>(Rf_xlength(one))) +
                                 " names for " + Slots::number(wanted) +
                                 (k == 0 ? " rows" : " columns"));
    }
  }
}

// Compressed columns, or rows: `of` of them, whose entries have places below `end`. Places rise
// strictly. triangle: 0, or +1 where places must not be above the number of their column (row), -1
// not below it.
void check_compressed(Slots& slots, const char* index, int of, int end, int triangle, bool unit) {
  SEXP start = slots.of_type("p", INTSXP), at = slots.of_type(index, INTSXP);
  slots.length("p", of + 1.0, "one more than columns, or rows, that it divides");
  if (!slots.sound()) return;
  const int* p = INTEGER(start);
  const double stored = static_cast<double>(Rf_xlength(at));
  if (p[0] != 0) slots.fail("p", "starts with " + Slots::entry(p[0]) + " and not with 0");
  for (int k = 0; k < of && slots.sound(); ++k) {
    if (p[k + 1] >= p[k] && p[k + 1] <= stored) continue;
    slots.fail("p", "has " + Slots::entry(p[k + 1]) + " at position " + Slots::number(k + 2.0) +
                        (p[k + 1] < p[k] ? ", less than before it"
                                         : ", but " + Slots::number(stored) + " stored entries"));
  }
  slots.indices(index, at, 0, end);
  const int* places = INTEGER(at);
  for (int k = 0; k < of && slots.sound(); ++k) {
    for (int m = p[k]; m < p[k + 1]; ++m) {
      const int place = places[m];
      const bool rises = m == p[k] || place > places[m - 1];
      const bool inside = triangle == 0 || (triangle > 0 ? place <= k : place >= k);
      if (rises && inside && !(unit && place == k)) continue;
      slots.fail(index, "has " + Slots::entry(place) + " at position " + Slots::number(m + 1.0) +
                            (!rises    ? (place == places[m - 1] ? ", twice in one column or row"
                                                                 : ", out of order")
                             : !inside ? ", on the wrong side of the diagonal"
                                       : ", on a diagonal that is told to be 1"));
      break;
    }
  }
}

void check_triplets(Slots& slots, const Size& size, int triangle, bool unit) {
  SEXP i = slots.of_type("i", INTSXP), j = slots.of_type("j", INTSXP);
  if (!slots.sound()) return;
  slots.length("j", static_cast<double>(Rf_xlength(i)), "as many as in slot i");
  slots.indices("i", i, 0, size.rows);
  slots.indices("j", j, 0, size.columns);
  const int *rows = INTEGER(i), *columns = INTEGER(j);
  const R_xlen_t stored = Rf_xlength(i);
  for (R_xlen_t k = 0; k < stored && slots.sound(); ++k) {
    const int row = rows[k], column = columns[k];
    if ((triangle > 0 && row > column) || (triangle < 0 && row < column) ||
        (unit && row == column)) {
      slots.fail("i", "has " + Slots::entry(row) + " at position " +
                          Slots::number(static_cast<double>(k) + 1) +
                          ", on the wrong side of the diagonal");
    }
  }
}

}  // namespace

// kind: "C", "R", "T" (sparse), "diagonal", "index", "dense" or "packed"; shape: "g", "s" or "t"
// for general, symmetric and triangular; type: "d", "l" or "n" for numbers, logicals and patterns.
// Returns list(slot, fault) for R to raise, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject check_slots_cpp(SEXP x, const std::string& kind, const std::string& shape,
                              const std::string& type) {
  Slots slots(x);
  const Size size = size_of(slots);
  if (slots.sound()) check_names(slots, size);
  const bool square = shape != "g" || kind == "diagonal";
  if (slots.sound() && square && size.rows != size.columns) {
    slots.fail("Dim", "must hold the same number twice");
  }
  bool lower = false, unit = false;
  if (slots.sound() && shape != "g") lower = slots.letter("uplo", "U", "L");
  if (slots.sound() && (shape == "t" || kind == "diagonal")) unit = slots.letter("diag", "N", "U");
  if (!slots.sound()) return slots.fault();

  const bool sparse = kind == "C" || kind == "R" || kind == "T";
  const int triangle = shape == "g" ? 0 : lower ? -1 : 1;
  const double rows = size.rows, cells = rows * size.columns;
  const char* index = kind == "R" ? "j" : "i";
  if (kind == "C") {
    check_compressed(slots, "i", size.columns, size.rows, triangle, unit);
  } else if (kind == "R") {
    check_compressed(slots, "j", size.rows, size.columns, -triangle, unit);
  } else if (kind == "T") {
    check_triplets(slots, size, triangle, unit);
  } else if (kind == "index") {
    SEXP perm = slots.of_type("perm", INTSXP), margin = slots.get("margin");
    const bool of_columns =
        TYPEOF(margin) == INTSXP && Rf_xlength(margin) == 1 && INTEGER(margin)[0] == 2;
    slots.length("perm", of_columns ? size.columns : size.rows, "one for each row or column");
    slots.indices("perm", perm, 1, (of_columns ? size.rows : size.columns) + 1.0);
  }
  if (slots.sound() && kind != "index" && !(sparse && type == "n")) {
    slots.of_type("x", type == "d" ? REALSXP : LGLSXP);
    const double wanted = sparse               ? static_cast<double>(Rf_xlength(slots.get(index)))
                          : kind == "diagonal" ? (unit ? 0.0 : rows)
                          : kind == "packed"   ? rows * (rows + 1) / 2
                                               : cells;
    slots.length("x", wanted, sparse ? "as many as places" : "as the dimensions ask");
  }
  if (slots.sound()) return R_NilValue;
  return slots.fault();
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
// response. y: NULL or a number a row; used: NULL or which rows are summed a second time; partial:
// NULL or the sum of other rows, to go on from. Hexadecimal, and the number of distinct rows where
// it is asked for.
// [[Rcpp::export(rng = false)]]
Rcpp::List row_hash_cpp(SEXP x, SEXP y, SEXP used, bool distinct, SEXP partial) {
  const MatrixView rows = border::view(x);
  std::vector<std::uint64_t> hash(static_cast<std::size_t>(rows.n));
  if (rows.form == MatrixView::Form::rows) {
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(rows.p));
    for (Index j = 0; j < rows.p; ++j) keys[j] = column_key(j);
    for (Index i = 0; i < rows.n; ++i) {
      for (Start k = rows.start[i]; k < rows.start[i + 1]; ++k) {
        hash[i] += entry_hash(keys[rows.index[k]], rows.real[k]);
      }
    }
  } else {
    for (Index j = 0; j < rows.p; ++j) {
      if (j % 256 == 0) Rcpp::checkUserInterrupt();
      const std::uint64_t key = column_key(j);
      rows.column(j, [&](Index i, double v) { hash[i] += entry_hash(key, v); });
    }
  }
  const double* response = Rf_isNull(y) ? nullptr : REAL(y);
  const int* kept = Rf_isNull(used) ? nullptr : LOGICAL(used);
  std::uint64_t all = 0, some = 0;
  if (!Rf_isNull(partial)) all = std::stoull(Rcpp::as<std::string>(partial), nullptr, 16);
  for (Index i = 0; i < rows.n; ++i) {
    if (response != nullptr) hash[i] += entry_hash(column_key(rows.p), response[i]);
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
