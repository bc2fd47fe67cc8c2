// What is asked of a matrix before anything reads it: are the slots of one of package Matrix sound, are
// all entries finite numbers? R builds these objects without a check and lets anyone assign to their
// slots, while both Matrix and our core index by them.
#include <Rcpp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "rows/row_hash.h"

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
                                      " where " + Rf_type2char(type) + " is read");
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
                     not_from(low, end));
      return;
    }
  }

  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
  }
  static std::string not_from(int low, double end) {
    return ", which is not from " + number(low) + " to " + number(end - 1);
  }
  static std::string entry(int value) { return value == NA_INTEGER ? "NA" : number(value); }

 private:
  SEXP object_;
  std::string slot_, fault_;
};

struct Size {
  int rows = 0, columns = 0;
};

// What one pass over the numbers of a vector or a matrix finds, entry by entry.
class Entries {
 public:
  // hashed: is the hash of each row asked for?
  Entries(double most, const Size& size, bool hashed) : most_(most) {
    if (!hashed) return;
    hash_.resize(static_cast<std::size_t>(size.rows) + 1);
    hash_.back() = dualmargin::column_key(size.columns);
    for (int j = 0; j < size.columns; ++j) key_.push_back(dualmargin::column_key(j));
  }

  void add(int row, int column, double v) {
    const double size = std::abs(v);
    if (!(size < HUGE_VAL)) {
      if (held_.empty()) bad_ = {v, row, column};
      held_.insert(row + 1);
    } else if (size > largest_) {
      largest_ = size;
      if (size > most_ && beyond_.row < 0) beyond_ = {v, row, column};
    }
    if (!key_.empty()) hash_[row] += dualmargin::entry_hash(key_[column], v);
  }

  // List of: `rows`, those with an entry that is no finite number; `largest`, the largest size of the
  // others; `bad` and `beyond`, the first entry that is not finite and the first of a size above
  // `most`: its value and its row and column, counted from 1, or NULL; `hash`, what row_hash_cpp()
  // goes on from.
  Rcpp::List found() const {
    const auto place = [](const Entry& e) {
      return Rcpp::List::create(Rcpp::_["value"] = e.value, Rcpp::_["row"] = e.row + 1,
                                Rcpp::_["column"] = e.column + 1);
    };
    Rcpp::List found =
        Rcpp::List::create(Rcpp::_["largest"] = largest_,
                           Rcpp::_["rows"] = Rcpp::IntegerVector(held_.begin(), held_.end()));
    if (!held_.empty()) found["bad"] = place(bad_);
    if (beyond_.row >= 0) found["beyond"] = place(beyond_);
    if (!hash_.empty()) {
      const auto* bytes = reinterpret_cast<const Rbyte*>(hash_.data());
      found["hash"] = Rcpp::RawVector(bytes, bytes + hash_.size() * sizeof hash_[0]);
    }
    return found;
  }

 private:
  struct Entry {
    double value = 0;
    int row = -1, column = -1;
  };

  double most_, largest_ = 0;
  Entry bad_, beyond_;
  std::set<int> held_;
  std::vector<std::uint64_t> key_, hash_;
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
                                 " where character is read");
    } else if (Rf_xlength(one) != 0 && static_cast<double>(Rf_xlength(one)) != wanted) {
      slots.fail("Dimnames", "has " + Slots::number(static_cast<double>(Rf_xlength(one))) +
                                 " names for " + Slots::number(wanted) +
                                 (k == 0 ? " rows" : " columns"));
    }
  }
}

// Compressed columns, or rows: `of` of them, whose entries have places below `end` that rise strictly,
// in one pass: no place is looked at before it is known to be stored. triangle: 0, or +1 where places
// must not be above the number of their column (row), -1 not below it. add(k, place, m): the entry at m.
template <class Add>
void check_compressed(Slots& slots, const char* index, int of, int end, int triangle, bool unit,
                      Add add) {
  SEXP start = slots.of_type("p", INTSXP), at = slots.of_type(index, INTSXP);
  slots.length("p", of + 1.0, "one more than columns, or rows, that it divides");
  if (!slots.sound()) return;
  const int *p = INTEGER(start), *places = INTEGER(at);
  const double stored = static_cast<double>(Rf_xlength(at));
  if (p[0] != 0) slots.fail("p", "starts with " + Slots::entry(p[0]) + " and not with 0");
  for (int k = 0; k < of && slots.sound(); ++k) {
    if (p[k + 1] < p[k] || p[k + 1] > stored) {
      slots.fail("p", "has " + Slots::entry(p[k + 1]) + " at position " + Slots::number(k + 2.0) +
                          (p[k + 1] < p[k] ? ", less than before it"
                                           : ", but " + Slots::number(stored) + " stored entries"));
    }
    for (int m = p[k]; m < p[k + 1] && slots.sound(); ++m) {
      const int place = places[m], before = m == p[k] ? -1 : places[m - 1];
      const bool wrong_side = triangle > 0 ? place > k : triangle < 0 && place < k;
      if (place > before && place < end && !wrong_side && !(unit && place == k)) {
        add(k, place, m);
        continue;
      }
      slots.fail(index, "has " + Slots::entry(place) + " at position " + Slots::number(m + 1.0) +
                            (place < 0 || place >= end ? Slots::not_from(0, end)
                             : place == before         ? ", twice in one column or row"
                             : place < before          ? ", out of order"
                             : wrong_side              ? ", on the wrong side of the diagonal"
                                                       : ", on a diagonal that is told to be 1"));
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

// Of general compressed numbers.
Rcpp::RObject entries_of(Slots& slots, const Size& size, bool by_rows, double most, bool hash) {
  const char* index = by_rows ? "j" : "i";
  SEXP at = slots.of_type(index, INTSXP), numbers = slots.of_type("x", REALSXP);
  slots.length("x", static_cast<double>(Rf_xlength(at)), "as many as places");
  if (!slots.sound()) return slots.fault();
  const double* value = REAL(numbers);
  Entries entries(most, size, hash);
  check_compressed(slots, index, by_rows ? size.rows : size.columns,
                   by_rows ? size.columns : size.rows, 0, false, [&](int k, int place, int m) {
                     entries.add(by_rows ? k : place, by_rows ? place : k, value[m]);
                   });
  return slots.sound() ? entries.found() : slots.fault();
}

}  // namespace

// kind: "C", "R", "T" (sparse), "diagonal", "index", "dense" or "packed"; shape: "g", "s" or "t"
// for general, symmetric and triangular; type: "d", "l" or "n" for numbers, logicals and patterns.
// Returns list(slot, fault) for R to raise; else of general compressed numbers what Entries finds in
// the same pass, as scan_entries_cpp(), or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject check_slots_cpp(SEXP x, const std::string& kind, const std::string& shape,
                              const std::string& type, double most, bool hash) {
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
  if ((kind == "C" || kind == "R") && shape == "g" && type == "d") {
    // rows and columns without end may stand in a damaged matrix, and take memory
    const double stored = static_cast<double>(Rf_xlength(slots.get(index)));
    return entries_of(slots, size, kind == "R", most,
                      hash && rows + size.columns <= 1e6 + 4 * stored);
  }
  const auto none = [](int, int, int) {};
  if (kind == "C") {
    check_compressed(slots, "i", size.columns, size.rows, triangle, unit, none);
  } else if (kind == "R") {
    check_compressed(slots, "j", size.rows, size.columns, -triangle, unit, none);
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

// Of a vector, a base matrix or a sound compressed one.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject scan_entries_cpp(SEXP x, double most, bool hash) {
  if (Rf_isS4(x)) {
    Slots slots(x);
    return entries_of(slots, size_of(slots), Rf_isNull(slots.get("i")), most, hash);
  }
  SEXP dim = Rf_getAttrib(x, R_DimSymbol);
  const R_xlen_t stored = Rf_xlength(x), rows = Rf_isNull(dim) ? stored : INTEGER(dim)[0];
  const double* real = TYPEOF(x) == REALSXP ? REAL(x) : nullptr;
  const int* whole = real != nullptr || stored == 0 ? nullptr : INTEGER(x);
  const R_xlen_t columns = stored == 0 ? 0 : stored / rows;
  Entries entries(most, {static_cast<int>(rows), static_cast<int>(columns)}, hash);
  for (R_xlen_t j = 0, k = 0; j < columns; ++j) {
    for (R_xlen_t i = 0; i < rows; ++i, ++k) {
      const double v = real != nullptr          ? real[k]
                       : whole[k] == NA_INTEGER ? NA_REAL
                                                : static_cast<double>(whole[k]);
      entries.add(static_cast<int>(i), static_cast<int>(j), v);
    }
  }
  return entries.found();
}
