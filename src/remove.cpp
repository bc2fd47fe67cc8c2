// Glue of margin_loo(): the rows of a fit are stored once and stay while sets of them leave.
#include "decide/remove.h"

#include <memory>
#include <vector>

#include "border/decide.h"
#include "border/refit.h"
#include "rows/column_store.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

// When a set needs no more: never a second step; once each row's class is decided and its loss as
// narrow as aimed at; or, of several classes, once the loss is.
class Aim {
 public:
  explicit Aim(const Rcpp::List& aim)
      : mode_(border::named<Mode>("aim", Rcpp::as<std::string>(aim["mode"]),
                                  {{"once", Mode::once},
                                   {"classes", Mode::classes},
                                   {"logistic", Mode::logistic},
                                   {"several", Mode::several},
                                   {"squared", Mode::squared}})),
        target_(border::vec_at(aim, "target")),
        weight_(border::vec_at(aim, "weight")),
        y_(border::vec_at(aim, "y")),
        deep_(border::vec_at(aim, "deep")) {}

  bool open(const Leaving& set) const {
    for (std::size_t j = 0; j < set.out.size(); ++j) {
      if (open(set.out[j], set.ends[j])) return true;
    }
    return false;
  }

 private:
  enum class Mode { once, classes, logistic, several, squared };

  bool open(Index i, const region::Interval& ends) const {
    if (mode_ == Mode::once) return false;
    // the loss changes by no more than twice the sum of what the scores do
    if (mode_ == Mode::several) return weight_[i] * ends.width() > target_[i] || deep_[i] != 0;
    const bool sign = ends.low < 0 && ends.high >= 0;
    if (mode_ == Mode::classes || (mode_ == Mode::logistic && sign)) return sign;
    const double low = weight_[i] * loss(i, ends, true), high = weight_[i] * loss(i, ends, false);
    const double width = low == high ? 0 : high * (1 + 1e-12) - low * (1 - 1e-12);
    return weight_[i] > 0 && (!std::isfinite(width) || width > target_[i]);
  }
  double loss(Index i, const region::Interval& ends, bool least) const {
    if (mode_ == Mode::squared) {
      const double below = ends.low - y_[i], above = y_[i] - ends.high;
      const double off =
          least ? std::max({0.0, below, above}) : std::max(std::abs(below), std::abs(above));
      return off * off;
    }
    const double m = (y_[i] > 0) == least ? y_[i] * ends.high : y_[i] * ends.low;
    return 2 * (std::log1p(std::exp(-std::abs(m))) + std::max(0.0, -m));
  }

  Mode mode_;
  Vec target_, weight_, y_, deep_;
};

// The class problems of a fit, whatever their rows are.
class Session {
 public:
  virtual ~Session() = default;
  virtual Rcpp::List bounds(const Rcpp::List& sets) = 0;
  virtual Rcpp::List solve(int k, const Rcpp::List& sets, const Aim& aim) = 0;
};

template <class Data>
class SessionOn : public Session {
 public:
  SessionOn(const Data& data, std::shared_ptr<const region::StoredRows> stored,
            const MatrixView& view, const region::Frame& frame, const Rcpp::List& problem,
            const Vec& offsets, std::shared_ptr<border::FitCall> call)
      : data_(data),
        stored_(std::move(stored)),
        call_(std::move(call)),
        centre_(view.form == MatrixView::Form::dense && frame.moves() ? frame.centre
                                                                      : Vec(Vec::Zero(view.p))),
        scales_(frame.scales),
        columns_(view, centre_, scales_) {
    Tick tick = border::patient();
    const Mat y = border::mat_at(problem, "y"), w = border::mat_at(problem, "w"),
              dual = border::mat_at(problem, "dual");
    const Vec b = border::vec_at(problem, "b");
    const bool free = border::number_at(problem, "free") != 0;
    const linear::LossName loss{Rcpp::as<std::string>(problem["loss"]),
                                border::number_at(problem, "parameter")};
    const ElasticNet g{border::number_at(problem, "l1"), border::number_at(problem, "mu")};
    const Rule rule = border::rule(problem);
    const bool curved = !border::has(problem, "ball_alone");
    const auto refit = [this, loss](const linear::LinearProblem<Data>& p,
                                    const linear::Solution& start, double tol, Tick& t) {
      return linear::solved_to(*call_, loss, p, start, tol, t);
    };
    for (Index k = 0; k < y.cols(); ++k) {
      RowVec own(Vec(y.col(k)));
      if (k == 0) {
        spaces_.push_back(std::make_unique<Workspace<Data>>(
            data_, *stored_, std::move(own), RowVec(border::vec_at(problem, "omega")),
            border::calculus(loss.name, loss.parameter), free, call_->team));
      } else {
        spaces_.push_back(std::make_unique<Workspace<Data>>(*spaces_[0], std::move(own)));
      }
      const Vec v = w.col(k);
      removals_.push_back(std::make_unique<Removal<Data>>(
          *spaces_.back(), data_, g, v, free ? b[k] + offsets.dot(v) : 0.0,
          RowVec(Vec(dual.col(k))), rule, curved, refit,
          [this] { return columns_.view(data_.bias()); }, tick));
    }
  }

  Rcpp::List bounds(const Rcpp::List& sets) override {
    Tick tick = border::patient();
    const bool alone = static_cast<Index>(sets.size()) == spaces_[0]->rows.n();
    Rcpp::List all(removals_.size());
    for (std::size_t k = 0; k < removals_.size(); ++k) {
      const Index n = spaces_[0]->rows.n();
      region::Ends ends = alone ? removals_[k]->bounds(tick) : EndsOf(n).ends;
      Rcpp::LogicalVector gone(sets.size());
      for (R_xlen_t s = 0; s < sets.size(); ++s) {
        const std::vector<Index> out = border::rows_of(sets[s]);
        const int left = removals_[k]->class_left(out);
        gone[s] = left != 0;
        for (const Index i : out) {
          if (left != 0) ends.low[i] = ends.high[i] = left * HUGE_VAL;
        }
      }
      Mat both(n, 2);
      both << ends.low.local(), ends.high.local();
      all[k] = Rcpp::List::create(Rcpp::Named("ends") = both, Rcpp::Named("gone") = gone);
    }
    return all;
  }

  Rcpp::List solve(int k, const Rcpp::List& sets, const Aim& aim) override {
    Tick tick = border::patient();
    std::vector<Leaving> leaving;
    for (const SEXP set : sets) leaving.push_back({border::rows_of(set), 0, {}});
    const std::vector<How> how = removals_[k]->solve(
        leaving, [&](const Leaving& set) { return aim.open(set); }, tick);
    Rcpp::List answers(sets.size());
    for (std::size_t s = 0; s < leaving.size(); ++s) {
      Mat both(static_cast<Index>(leaving[s].out.size()), 2);
      for (Index j = 0; j < both.rows(); ++j) {
        both(j, 0) = leaving[s].ends[j].low;
        both(j, 1) = leaving[s].ends[j].high;
      }
      answers[s] = Rcpp::List::create(Rcpp::Named("ends") = both,
                                      Rcpp::Named("how") = how[s] == How::step ? "step" : "refit");
    }
    return answers;
  }

 private:
  const Data data_;
  std::shared_ptr<const region::StoredRows> stored_;
  std::shared_ptr<border::FitCall> call_;
  const Vec centre_, scales_;
  ColumnStore columns_;
  std::vector<std::unique_ptr<Workspace<Data>>> spaces_;
  std::vector<std::unique_ptr<Removal<Data>>> removals_;
};

using Handle = Rcpp::XPtr<Session>;

}  // namespace

// The rows of a fit, to leave; frame and problem as certain_cpp() has them, with the rule; call and
// control: of the refits. Keeps x.
// [[Rcpp::export(rng = false)]]
SEXP removal_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                 const Rcpp::List& refit, const Rcpp::List& control) {
  const MatrixView view = border::view(x);
  region::Frame at = border::row_frame(frame);
  if (border::number_at(frame, "move") != 0) {
    at.centre = region::weighted_means(view, border::vec_at(problem, "omega"));
  }
  auto stored = std::make_shared<const region::StoredRows>(view, at);
  const Vec offsets = border::offsets(at, stored->shift().size());
  auto call = std::make_shared<border::FitCall>(refit, control);
  std::unique_ptr<Session> session;
  stored->visit([&](const auto& data) {
    session = std::make_unique<SessionOn<std::decay_t<decltype(data)>>>(data, stored, view, at,
                                                                        problem, offsets, call);
    return true;
  });
  return Handle(session.release(), true, R_NilValue, x);
}

// What is known of all rows without a step, and which sets leave one class alone.
// [[Rcpp::export(rng = false)]]
Rcpp::List removal_bounds_cpp(SEXP session, const Rcpp::List& sets) {
  return Handle(session)->bounds(sets);
}

// Sets of rows of class problem k, from 1, solved until they are as the aim has them.
// [[Rcpp::export(rng = false)]]
Rcpp::List removal_solve_cpp(SEXP session, int k, const Rcpp::List& sets, const Rcpp::List& aim) {
  return Handle(session)->solve(k - 1, sets, Aim(aim));
}
