// Rows that leave a fit, across the border: class problems that stay while sets of rows leave them,
// whatever their rows are.
#pragma once

#include <string>
#include <vector>

#include "border/decide.h"
#include "decide/remove.h"

namespace dualmargin::border {

// When a set needs no more: never a second step; once each row's class is decided and its loss as
// narrow as aimed at; or, of several classes, once the loss is.
class Aim {
 public:
  explicit Aim(const Rcpp::List& aim)
      : mode_(named<Mode>("aim", Rcpp::as<std::string>(aim["mode"]),
                          {{"once", Mode::once},
                           {"classes", Mode::classes},
                           {"logistic", Mode::logistic},
                           {"several", Mode::several},
                           {"squared", Mode::squared}})),
        target_(vec_at(aim, "target")),
        weight_(vec_at(aim, "weight")),
        y_(vec_at(aim, "y")),
        deep_(vec_at(aim, "deep")) {}

  bool open(const decide::Leaving& set) const {
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

// The class problems of a fit.
class RemovalSession {
 public:
  virtual ~RemovalSession() = default;

  // What is known of all rows without a step, and which sets leave one class alone.
  Rcpp::List bounds(const Rcpp::List& sets) const {
    Tick tick = patient();
    const bool alone = static_cast<Index>(sets.size()) == n();
    Rcpp::List all(classes());
    for (Index k = 0; k < classes(); ++k) {
      region::Ends ends = alone ? bounds_of(k, tick) : decide::EndsOf(n()).ends;
      Rcpp::LogicalVector gone(sets.size());
      for (R_xlen_t s = 0; s < sets.size(); ++s) {
        const std::vector<Index> out = rows_of(sets[s]);
        const int left = class_left(k, out);
        gone[s] = left != 0;
        for (const Index i : out) {
          if (left != 0) ends.low[i] = ends.high[i] = left * HUGE_VAL;
        }
      }
      Mat both(n(), 2);
      both << ends.low.local(), ends.high.local();
      all[k] = Rcpp::List::create(Rcpp::Named("ends") = both, Rcpp::Named("gone") = gone);
    }
    return all;
  }

  // Sets of rows of class problem k, solved until they are as the aim has them.
  Rcpp::List solve(Index k, const Rcpp::List& sets, const Aim& aim) {
    Tick tick = patient();
    std::vector<decide::Leaving> leaving;
    for (const SEXP set : sets) leaving.push_back({rows_of(set), 0, {}});
    const std::vector<decide::How> how = solve(
        k, leaving, [&](const decide::Leaving& set) { return aim.open(set); }, tick);
    Rcpp::List answers(sets.size());
    for (std::size_t s = 0; s < leaving.size(); ++s) {
      Mat both(static_cast<Index>(leaving[s].out.size()), 2);
      for (Index j = 0; j < both.rows(); ++j) {
        both(j, 0) = leaving[s].ends[j].low;
        both(j, 1) = leaving[s].ends[j].high;
      }
      answers[s] =
          Rcpp::List::create(Rcpp::Named("ends") = both,
                             Rcpp::Named("how") = how[s] == decide::How::step ? "step" : "refit");
    }
    return answers;
  }

 private:
  virtual Index n() const = 0;
  virtual Index classes() const = 0;
  virtual region::Ends bounds_of(Index k, Tick& tick) const = 0;
  virtual int class_left(Index k, const std::vector<Index>& out) const = 0;
  virtual std::vector<decide::How> solve(Index k, std::vector<decide::Leaving>& sets,
                                         const decide::Open& open, Tick& tick) = 0;
};

using RemovalHandle = Rcpp::XPtr<RemovalSession>;

}  // namespace dualmargin::border
