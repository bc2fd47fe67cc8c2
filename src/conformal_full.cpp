// Glue of margin_conformal(method = "full"): the optimum with each new row and response added.
#include "decide/conformal_full.h"

#include "border/conformal.h"
#include "decide/asked_rows.h"
#include "decide/conformal_scales.h"

using namespace dualmargin;

namespace {

// Worker threads read no vector of R.
Eigen::MatrixXi copied(const Rcpp::IntegerMatrix& x) {
  return Eigen::Map<const Eigen::MatrixXi>(x.begin(), x.nrow(), x.ncol());
}

// What is asked: of new rows their group for each response (0: none), of counted rows theirs (0:
// not counted), the weight of each response.
struct AskedOfFull {
  Mat x;  // with a 1 at the end for a free intercept
  const Eigen::MatrixXi group_new;
  const std::vector<int> group;
  const Vec omega;
  const decide::FullEffort effort;
  decide::ColumnSpreads spreads;  // where columns are scaled anew

  AskedOfFull(const border::ConformalRows& rows, SEXP new_x, const Rcpp::List& asked)
      : group_new(copied(asked["group_new"])),
        group(Rcpp::as<std::vector<int>>(asked["group"])),
        omega(border::vec_at(asked, "omega")),
        effort{static_cast<int>(border::number_at(asked, "steps")),
               border::number_at(asked, "refits") > 0} {
    Team alone;
    const decide::AskedRows others(border::view(new_x), rows.place, alone);
    const Index d = others.rows().dim();
    x = Mat::Ones(d + rows.free, others.n());
    for (Index t = 0; t < others.n(); ++t) x.col(t).head(d) = others.row(t);
    if (border::number_at(asked, "rescale") != 0) {
      spreads = {rows.view, rows.omega, rows.place.scales, rows.place.centre};
    }
  }

  Index n() const { return x.cols(); }
  Vec shrink(Index t, double weight) const {
    return spreads.W > 0 ? spreads.ratios(x.col(t), weight) : Vec();
  }
  // f(t, tick), by threads
  void each(const decide::AlteredOptima& optima, FunctionRef<void(Index, Tick&)> f,
            Tick& tick) const {
    optima.rows().team.for_chunks(n(), f, tick);
  }
};

}  // namespace

// Of two classes, how many counted rows are at least as strange as each label (a column) of new rows
// by the optimum with both: `least` for certain, `most` possibly, after so many `steps`.
// [[Rcpp::export(rng = false)]]
Rcpp::List conformal_full_counts_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                                     SEXP new_x, const Rcpp::List& asked) {
  const border::ConformalRows rows(x, frame, problem);
  const AskedOfFull ask(rows, new_x, asked);
  return rows.visit(frame, problem, [&](const auto& optima, Tick& tick) {
    using Rcpp::Named;
    const int usable = optima.usable();
    std::vector<std::array<decide::FullCount, 2>> found(static_cast<std::size_t>(ask.n()));
    if (usable) {
      const decide::FullOptima full(optima, border::rule(problem), ask.effort, tick);
      const auto one = [&](Index t, Tick& own) {
        const decide::Arrival in = optima.arrival(ask.x.col(t), own);
        for (int l = 0; l < 2; ++l) {
          const int of = ask.group_new(t, l);
          found[t][l] = full.count(
              in, l == 0 ? -1.0 : 1.0, ask.omega[l], ask.shrink(t, ask.omega[l]),
              [&](Index i) { return of > 0 && ask.group[i] == of; }, own);
        }
      };
      ask.each(optima, one, tick);
    }
    Rcpp::IntegerMatrix least(ask.n(), 2), most(ask.n(), 2), steps(ask.n(), 2);
    Rcpp::LogicalMatrix refitted(ask.n(), 2);
    for (Index t = 0; t < ask.n(); ++t) {
      for (int l = 0; l < 2; ++l) {
        least(t, l) = static_cast<int>(found[t][l].least);
        most(t, l) = static_cast<int>(found[t][l].most);
        steps(t, l) = found[t][l].steps;
        refitted(t, l) = found[t][l].refitted;
      }
    }
    return Rcpp::List::create(Named("usable") = usable, Named("least") = least,
                              Named("most") = most, Named("steps") = steps,
                              Named("refitted") = refitted);
  });
}

// Of a regression by the squared loss: of each new row and level (ranks: of each group a row, of
// each level a column) the closed pieces that are its set, a row a piece; the hull, and how much
// further out than need be an end of it can be.
// [[Rcpp::export(rng = false)]]
Rcpp::List conformal_full_pieces_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                                     SEXP new_x, const Rcpp::List& asked,
                                     const Rcpp::IntegerMatrix& ranks) {
  const border::ConformalRows rows(x, frame, problem);
  const AskedOfFull ask(rows, new_x, asked);
  const Eigen::MatrixXi least = copied(ranks);
  const Index levels = least.cols();
  return rows.visit(frame, problem, [&](const auto& optima, Tick& tick) {
    using Rcpp::Named;
    const int usable = optima.usable();
    std::vector<decide::FullPieces> found(static_cast<std::size_t>(usable ? ask.n() : 0));
    if (usable) {
      const decide::FullOptima full(optima, border::rule(problem), ask.effort, tick);
      const auto one = [&](Index t, Tick& own) {
        const int of = ask.group_new(t, 0);
        std::vector<Index> ks(static_cast<std::size_t>(levels), 0);
        for (Index l = 0; of > 0 && l < levels; ++l) ks[l] = least(of - 1, l);
        found[t] = full.pieces(
            ask.x.col(t), ask.omega[0], ask.shrink(t, ask.omega[0]),
            [&](Index i) { return of > 0 && ask.group[i] == of; }, ks, own);
      };
      ask.each(optima, one, tick);
    }
    Mat lower(ask.n(), levels), upper = lower;
    Rcpp::List pieces(ask.n() * levels);
    double off = 0;
    int refitted = 0;
    for (std::size_t t = 0; t < found.size(); ++t) {
      off = std::max(off, found[t].off);
      refitted += found[t].refitted;
      for (Index l = 0; l < levels; ++l) {
        const decide::Segments& set = found[t].of_level[l];
        Rcpp::NumericMatrix ends(static_cast<int>(set.size()), 2);
        for (std::size_t k = 0; k < set.size(); ++k) {
          ends(static_cast<int>(k), 0) = set[k].low;
          ends(static_cast<int>(k), 1) = set[k].high;
        }
        const auto row = static_cast<Index>(t);
        lower(row, l) = set.empty() ? HUGE_VAL : set.front().low;
        upper(row, l) = set.empty() ? -HUGE_VAL : set.back().high;
        pieces[l * ask.n() + row] = ends;
      }
    }
    return Rcpp::List::create(Named("usable") = usable, Named("lower") = lower,
                              Named("upper") = upper, Named("pieces") = pieces, Named("off") = off,
                              Named("refitted") = refitted);
  });
}
