// A quadratic program over boxes with a kernel matrix,
//
//   max_c  sum_k s_k c_k - 1/2 beta' K beta,   beta_i = sum of the c_k of row i
//
// and, where `balanced`, sum_k c_k = what it is at the beginning. A row may have several variables,
// all of which see its kernel values: smo.cpp, one_class.cpp.
//
// Variables at an end of their box that only want to go further out rest: nothing of theirs is
// brought up to date until all are woken.
//
//   c    all variables                    f   scores of all rows, as of the last wake()
#pragma once

#include <vector>

#include "base/function_ref.h"
#include "rows/gram.h"
#include "run/run.h"

namespace dualmargin::kernel {

struct SmoOptions;

// A variable of a row with its box and the score of the kink it stands for.
struct Box {
  Index row;
  double at, low, high, c;
};

class Boxes {
 public:
  virtual ~Boxes() = default;

  // The loop condition of what works on it; only after wake().
  virtual bool proceed(Run& run) = 0;
  // Did a point seem optimal that is not, by exact kernel values?
  bool refuted() const { return refuted_; }

  // By how much the optimality conditions are violated at most. Balanced: max g over those
  // that may grow, less min g over those that may fall. Otherwise twice the largest |g| of those
  // that may follow it.
  double violation() const { return top_ - bottom_; }
  // Balanced: the one with the largest slope among those that may grow. Otherwise the one
  // that promises most alone, g^2 / K_kk; where no square is above 0, although slopes are, the one
  // with the largest slope. -1 where none may follow its slope.
  Index first() const { return first_; }
  Index row(Index k) const { return active_[k].row; }

  // With first() as i, the j that promises most; i itself where none promises anything.
  //   balanced        WSS 2 of Fan, Chen, Lin: (g_i - g_j)^2 / (K_ii + K_jj - 2 K_ij)
  //   otherwise       what a step in j adds to that in i, of length t: (g_j - K_ij t)^2 / e, where
  //                   e = K_jj - K_ij^2 / K_ii as long as the step in i stays inside its box
  Index second(const double* row_i) const;

  // ---- Steps, each with the next choice of first() ----

  void step(Index i, Index j, const double* row_i, const double* row_j);

  // Newton's step in all variables inside their boxes, as far as these go; what comes to an end of
  // its box leaves, and the others go on. Returns its price, in rows that are read: of any kernel
  // rows and of products.
  double leap(FunctionRef<const double*(Index)> row, Tick& tick);

  // ---- Shrinking ----

  // Rests the variables at a bound which no pair that violates the conditions contains.
  void shrink();
  // Brings f up to date, with one read of every row that moved since the last time, and makes all
  // variables active. Returns how many rows were read.
  Index wake(const Gram& kernel, Tick& tick);

 protected:
  // balanced: steps leave the sum of all variables as it is.
  Boxes(const Gram& kernel, bool balanced) : kernel_(kernel), balanced_(balanced) {}

  const std::vector<Box>& boxes() const { return box_; }
  void refute(bool refuted) { refuted_ = refuted; }
  void add_box(const Box& box) { box_.push_back(box); }
  // After the last box.
  void begin(Tick& tick);
  const Vec& scores() const { return f_; }
  // Scores that are better than those carried along; all variables are woken.
  void renew(const Vec& f);
  Vec coefficients() const;

 private:
  // A variable that is not at rest: its number among all, its row, the slope g = s_k - f of the
  // objective, kept up to date, K_kk, and whether it may grow or fall.
  static constexpr int grow = 1, fall = 2;
  struct Active {
    Index id, row;
    double g, diagonal;
    int can;  // bits, so that no branch hangs on a sign

    void look(const Box& v) { can = (v.c < v.high ? grow : 0) | (v.c > v.low ? fall : 0); }
    bool can_follow(double slope) const { return can & (slope > 0 ? grow : fall); }
  };

  void activate_all();

  // first() and the violation. slope(v) is g of v, perhaps brought up to date first.
  template <class Slope>
  void choose(Slope slope);

  // promise(v, d, eta) says whether v can be had and sets what the gain d^2 / eta is made of.
  template <class Promise>
  Index most_promising(Promise promise) const;

  Gram kernel_;
  bool balanced_, refuted_ = false;
  std::vector<Box> box_;
  std::vector<Active> active_;
  Index first_ = -1;
  double top_ = 0, bottom_ = 0;
  Vec f_, synced_;
};

// Sequential minimal optimisation, smo.cpp. working, exact: the kernel that rows are read of, and
// what takes its place once a certificate has refuted a point of it.
void maximize(Boxes& boxes, const Gram& working, const Gram& exact, const SmoOptions& options,
              Run& run);

}  // namespace dualmargin::kernel
