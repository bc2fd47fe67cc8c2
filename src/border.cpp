// What every call has of R objects in and out: compiled once.
#include <chrono>

#include "border/call.h"
#include "border/decide.h"

namespace dualmargin::border {

void assert_length(const std::string& name, R_xlen_t found, R_xlen_t wanted) {
  if (found == wanted) return;
  throw std::invalid_argument("damaged object: `" + name + "` has length " + std::to_string(found) +
                              ", not " + std::to_string(wanted));
}

MatrixView view(SEXP x) {
  using Form = MatrixView::Form;
  MatrixView v;
  const auto slot = [x](const char* name) { return R_do_slot(x, Rf_install(name)); };
  const int* dim = INTEGER(Rf_isS4(x) ? slot("Dim") : Rf_getAttrib(x, R_DimSymbol));
  v.n = dim[0];
  v.p = dim[1];
  if (!Rf_isS4(x)) {
    if (TYPEOF(x) == REALSXP) v.real = REAL(x);
    if (TYPEOF(x) == INTSXP) v.whole = INTEGER(x);
    if (TYPEOF(x) == LGLSXP) v.whole = LOGICAL(x);
    return v;
  }
  v.form = Rf_inherits(x, "dgCMatrix") ? Form::columns : Form::rows;
  const int* start = INTEGER(slot("p"));
  const Index count = v.form == Form::columns ? v.p : v.n;
  v.widened = std::make_shared<const std::vector<Start>>(start, start + count + 1);
  v.start = v.widened->data();
  v.index = INTEGER(slot(v.form == Form::columns ? "i" : "j"));
  v.real = REAL(slot("x"));
  return v;
}

Options::Options(const Rcpp::List& list) {
  if (list.size() == 0) return;
  const Rcpp::CharacterVector names = list.names();
  for (R_xlen_t k = 0; k < list.size(); ++k) {
    const SEXP value = list[k];
    const std::string name(names[k]);
    if (Rf_xlength(value) != 1) continue;
    if (Rf_isString(value)) texts_[name] = Rcpp::as<std::string>(value);
    if (Rf_isNumeric(value) || Rf_isLogical(value)) numbers_[name] = Rf_asReal(value);
  }
}

WarmStart::WarmStart(SEXP start) {
  if (Rf_isNull(start)) return;
  const Rcpp::List list(start);
  const Rcpp::CharacterVector names = list.names();
  for (R_xlen_t k = 0; k < list.size(); ++k) {
    const SEXP value = list[k];
    if (Rf_isNull(value)) continue;
    const Rcpp::NumericVector numbers(value);
    const R_xlen_t rows = Rf_isMatrix(value) ? Rf_nrows(value) : 1;
    const R_xlen_t columns = rows > 0 ? numbers.size() / rows : 0;
    given_[std::string(names[k])] = Eigen::Map<const Mat>(numbers.begin(), rows, columns);
  }
}

// The first columns at least.
const Mat& WarmStart::all(const std::string& name, Index rows, Index columns) const {
  if (!has(name)) assert_length(name, 0, rows * columns);
  const Mat& found = given_.at(name);
  assert_length(name, found.rows(), rows);
  if (found.cols() < columns) assert_length(name, found.cols(), columns);
  return found;
}

Rcpp::List as_list(const Fields& all) {
  Rcpp::List list;
  for (const auto& [name, value] : all.fields) {
    list[name] = std::visit([](const auto& v) { return Rcpp::RObject(Rcpp::wrap(v)); }, value);
  }
  return list;
}

Rcpp::List as_list(const std::vector<TraceRow>& trace) {
  const auto column = [&](double TraceRow::*member) {
    Rcpp::NumericVector out(trace.size());
    for (std::size_t k = 0; k < trace.size(); ++k) out[k] = trace[k].*member;
    return out;
  };
  return Rcpp::List::create(Rcpp::Named("epoch") = column(&TraceRow::epoch),
                            Rcpp::Named("seconds") = column(&TraceRow::seconds),
                            Rcpp::Named("value") = column(&TraceRow::value),
                            Rcpp::Named("bound") = column(&TraceRow::bound),
                            Rcpp::Named("gap") = column(&TraceRow::gap));
}

Rcpp::List as_list(const Answer& a) {
  Rcpp::List list = Rcpp::List::create(
      Rcpp::Named("value") = a.certificate.value, Rcpp::Named("bound") = a.certificate.bound,
      Rcpp::Named("gap") = a.certificate.gap, Rcpp::Named("null_value") = a.null_value,
      Rcpp::Named("status") = to_string(a.status), Rcpp::Named("rounding_floor") = a.rounding_floor,
      Rcpp::Named("threshold") = a.threshold, Rcpp::Named("solver") = a.solver,
      Rcpp::Named("epochs") = a.epochs, Rcpp::Named("steps") = a.steps,
      Rcpp::Named("seconds") = a.seconds);
  if (!a.brief) list["trace"] = as_list(a.trace);
  for (const auto& [name, value] : a.fields) {
    list[name] = std::visit([](const auto& v) { return Rcpp::RObject(Rcpp::wrap(v)); }, value);
  }
  return list;
}

FitCall::FitCall(const Rcpp::List& problem_, const Rcpp::List& control)
    : FitCall(problem_, control, Options(control)) {}

FitCall::FitCall(const Rcpp::List& problem_, const Rcpp::List& control, const Options& knobs)
    : problem(problem_),
      option(control["options"]),
      intercept(named<Intercept>("intercept", problem.text("intercept"),
                                 {{"free", Intercept::free},
                                  {"penalized", Intercept::penalized},
                                  {"none", Intercept::none}})),
      solver(knobs.text("solver")),
      limits{knobs.number("tol"),
             knobs.number("max_epochs"),
             knobs.number("max_seconds"),
             knobs.flag("certify_every_epoch"),
             knobs.flag("stall"),
             named<Iterate>("iterate", knobs.text("iterate"),
                            {{"best", Iterate::best}, {"last", Iterate::last}})},
      seed(static_cast<std::uint64_t>(knobs.number("seed"))),
      progress(knobs.flag("progress")),
      start(control["start"]),
      ranks(MpiRanks::from(control["ranks"])),
      team(static_cast<int>(knobs.number("threads")), knobs.number("chunk_entries"), ranks.get()),
      alone(1, knobs.number("chunk_entries")),
      checkpoint(control["checkpoint"]) {
  limits.agreement = team.agreement();
  const std::chrono::duration<double> elapsed(knobs.number("elapsed"));  // since the call in R
  using Clock = Stopwatch::Clock;
  limits.watch = knobs.flag("looks")
                     ? Stopwatch::of_looks()
                     : Clock::now() - std::chrono::duration_cast<Clock::duration>(elapsed);
}

RowFrame row_frame(const Rcpp::List& list) {
  RowFrame frame{vec_at(list, "scales"), vec_at(list, "centre"), number_at(list, "constant")};
  if (frame.moves()) assert_length("centre", frame.centre.size(), frame.scales.size());
  return frame;
}
RowFrame row_frame(const Rcpp::List& list, FunctionRef<Vec()> means) {
  RowFrame frame = row_frame(list);
  if (number_at(list, "move") != 0) frame.centre = means();
  return frame;
}

std::vector<Index> rows_of(SEXP set) {
  std::vector<Index> out;
  for (const int i : Rcpp::IntegerVector(set)) out.push_back(i - 1);
  return out;
}

std::vector<std::vector<Index>> sets_of(const Rcpp::List& asked) {
  std::vector<std::vector<Index>> sets;
  for (const SEXP set : list_at(asked, "sets")) sets.push_back(rows_of(set));
  return sets;
}

FittedRows::FittedRows(const Rcpp::List& given)
    : x(given["x"]),
      geometry(Rcpp::as<std::string>(given["geometry"])),
      frame(list_at(given, "frame")),
      problem(list_at(given, "problem")),
      refit(list_at(given, "refit")),
      control(list_at(given, "control")) {}

decide::Rule rule(const Rcpp::List& list) {
  return named<decide::Rule>("rule", Rcpp::as<std::string>(list["rule"]),
                             {{"cost", decide::Rule::cost}, {"lambda", decide::Rule::lambda}});
}

namespace {

// The upper triangle of R, column after column.
Vec packed(const Mat& root) {
  const Index q = root.cols();
  Vec triangle(q * (q + 1) / 2);
  for (Index j = 0; j < q; ++j) triangle.segment(j * (j + 1) / 2, j + 1) = root.col(j).head(j + 1);
  return triangle;
}

Mat unpacked(const Vec& triangle, Index q) {
  Mat root = Mat::Zero(q, q);
  for (Index j = 0; j < q; ++j) root.col(j).head(j + 1) = triangle.segment(j * (j + 1) / 2, j + 1);
  return root;
}

}  // namespace

Rcpp::List as_list(const region::Ellipsoid& e) {
  using Rcpp::Named;
  return Rcpp::List::create(Named("root") = packed(e.factor.root), Named("size") = e.factor.size,
                            Named("inverse") = e.factor.inverse,
                            Named("inflation") = e.factor.inflation, Named("free") = e.free,
                            Named("reach") = e.reach, Named("nu") = e.nu,
                            Named("factor") = e.radius);
}

region::Ellipsoid as_ellipsoid(const Rcpp::List& list) {
  region::Ellipsoid e;
  const Vec size = vec_at(list, "size");
  const Index q = size.size();
  e.factor = {unpacked(vec_at(list, "root", q * (q + 1) / 2), q), size, vec_at(list, "inverse", q),
              number_at(list, "inflation")};
  e.free = number_at(list, "free") != 0;
  e.reach = number_at(list, "reach");
  e.nu = number_at(list, "nu");
  e.radius = number_at(list, "factor");
  return e;
}

Rcpp::List as_list(const region::TiltSums& t) {
  using Rcpp::Named;
  return Rcpp::List::create(Named("kappa") = t.kappa, Named("size") = t.size,
                            Named("upper") = t.upper, Named("lower") = t.lower,
                            Named("rounding") = t.rounding);
}

region::TiltSums as_tilt_sums(const Rcpp::List& list) {
  const Vec size = vec_at(list, "size");
  const Index count = size.size();
  return {number_at(list, "kappa"), size, vec_at(list, "upper", count),
          vec_at(list, "lower", count), vec_at(list, "rounding", count)};
}

Rcpp::List as_list(const region::Region& r) {
  using Rcpp::Named;
  Rcpp::LogicalVector zero(r.zero.begin(), r.zero.end());
  Rcpp::List list =
      Rcpp::List::create(Named("w") = r.w, Named("b") = r.b, Named("free") = r.free,
                         Named("ball") = Rcpp::List::create(Named("centre") = r.ball.centre,
                                                            Named("radius") = r.ball.radius,
                                                            Named("gap") = r.ball.gap),
                         Named("zero") = zero, Named("centre_score") = as_vector(r.centre),
                         Named("offset") = r.offset);
  if (r.free) list["intercept"] = as_vector(r.intercept);
  if (r.tilt.usable()) {
    Rcpp::List tilt = as_list(static_cast<const region::TiltSums&>(r.tilt));
    tilt["centre"] = r.tilt.centre;
    tilt["e"] = r.tilt.e;
    list["tilt"] = tilt;
  }
  if (r.ellipsoid.factor.usable()) {
    list["ellipsoid"] = as_list(r.ellipsoid);
  }
  return list;
}

region::Region as_region(const Rcpp::List& list, Index q) {
  region::Region r;
  r.w = vec_at(list, "w", q);
  r.b = number_at(list, "b");
  r.free = number_at(list, "free") != 0;
  const Rcpp::List ball = list["ball"];
  r.ball = {vec_at(ball, "centre", q), number_at(ball, "radius"), number_at(ball, "gap")};
  r.centre = interval(list["centre_score"]);
  r.offset = number_at(list, "offset");
  if (has(list, "tilt")) {
    const Rcpp::List t = list["tilt"];
    r.tilt = {as_tilt_sums(t), vec_at(t, "centre", q), vec_at(t, "e", q)};
  }
  if (has(list, "ellipsoid")) {
    r.ellipsoid = as_ellipsoid(list["ellipsoid"]);
    assert_length("size", r.ellipsoid.factor.size.size(), q + r.ellipsoid.free);
  }
  return r;
}

Mat side_by_side(const std::vector<region::Ends>& ends, RowVec region::Ends::*end) {
  const Index n = ends.empty() ? 0 : (ends[0].*end).size();
  Mat all(n, static_cast<Index>(ends.size()));
  for (std::size_t k = 0; k < ends.size(); ++k) all.col(k) = (ends[k].*end).local();
  return all;
}

Rcpp::List as_list(const std::vector<region::Ends>& ends) {
  return Rcpp::List::create(Rcpp::Named("lower") = side_by_side(ends, &region::Ends::low),
                            Rcpp::Named("upper") = side_by_side(ends, &region::Ends::high));
}

bool has(const Rcpp::List& list, const char* name) {
  return list.containsElementNamed(name) && !Rf_isNull(list[name]);
}

Vec vec_at(const Rcpp::List& list, const char* name) {
  return has(list, name) ? vec(list[name]) : Vec();
}

Vec vec_at(const Rcpp::List& list, const char* name, Index size) {
  Vec v = vec_at(list, name);
  assert_length(name, v.size(), size);
  return v;
}

void assert_problem(const Rcpp::List& problem, Index n, Index dim) {
  const auto assert_at = [&](const char* name, Index size) {
    if (has(problem, name)) assert_length(name, Rf_xlength(problem[name]), size);
  };
  const bool joint = has(problem, "softmax");
  const Index given = has(problem, joint ? "w" : "y") ? Rf_xlength(problem[joint ? "w" : "y"]) : 0;
  const Index classes = given / std::max<Index>(joint ? dim : n, 1);
  assert_length("y", has(problem, "y") ? Rf_xlength(problem["y"]) : 0, joint ? n : n * classes);
  assert_length("omega", vec_at(problem, "omega").size(), n);
  for (const char* name : {"dual", "flip"}) assert_at(name, n * classes);
  for (const char* name : {"b", "value", "gap", "bound", "limit"}) assert_at(name, classes);
  if (dim > 0) assert_length("w", mat_at(problem, "w").size(), dim * classes);
  if (has(problem, "at")) {
    for (const Index i : rows_of(problem["at"])) {
      if (i < 0 || i >= n) assert_length("at", i + 1, n);
    }
  }
  if (!joint) return;
  for (const Index c : rows_of(problem["y"])) {
    if (c < 0 || c >= classes) assert_length("levels", c + 1, classes);
  }
}

Mat mat_at(const Rcpp::List& list, const char* name) {
  return has(list, name) ? mat(list[name]) : Mat();
}

Rcpp::List list_at(const Rcpp::List& list, const char* name) { return list[name]; }

double number_at(const Rcpp::List& list, const char* name) { return Rcpp::as<double>(list[name]); }

Rcpp::NumericVector as_vector(const region::Interval& ends) {
  return Rcpp::NumericVector::create(ends.low, ends.high);
}

}  // namespace dualmargin::border
