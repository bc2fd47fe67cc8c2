// Glue of margin_loo(): the rows of a fit are stored once and stay while sets of them leave.
#include "decide/remove.h"

#include <memory>
#include <vector>

#include "border/refit.h"
#include "border/removal.h"
#include "rows/column_store.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

template <class Data>
class SessionOn final : public border::RemovalSession {
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

 private:
  Index n() const override { return spaces_[0]->rows.n(); }
  Index classes() const override { return static_cast<Index>(removals_.size()); }
  region::Ends bounds_of(Index k, Tick& tick) const override { return removals_[k]->bounds(tick); }
  int class_left(Index k, const std::vector<Index>& out) const override {
    return removals_[k]->class_left(out);
  }
  std::vector<How> solve(Index k, std::vector<Leaving>& sets, const Open& open,
                         Tick& tick) override {
    return removals_[k]->solve(sets, open, tick);
  }

  const Data data_;
  std::shared_ptr<const region::StoredRows> stored_;
  std::shared_ptr<border::FitCall> call_;
  const Vec centre_, scales_;
  ColumnStore columns_;
  std::vector<std::unique_ptr<Workspace<Data>>> spaces_;
  std::vector<std::unique_ptr<Removal<Data>>> removals_;
};

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
  std::unique_ptr<border::RemovalSession> session;
  stored->visit([&](const auto& data) {
    session = std::make_unique<SessionOn<std::decay_t<decltype(data)>>>(data, stored, view, at,
                                                                        problem, offsets, call);
    return true;
  });
  return border::RemovalHandle(session.release(), true, R_NilValue, x);
}

// What is known of all rows without a step, and which sets leave one class alone.
// [[Rcpp::export(rng = false)]]
Rcpp::List removal_bounds_cpp(SEXP session, const Rcpp::List& sets) {
  return border::RemovalHandle(session)->bounds(sets);
}

// Sets of rows of class problem k, from 1, solved until they are as the aim has them.
// [[Rcpp::export(rng = false)]]
Rcpp::List removal_solve_cpp(SEXP session, int k, const Rcpp::List& sets, const Rcpp::List& aim) {
  return border::RemovalHandle(session)->solve(k - 1, sets, border::Aim(aim));
}
