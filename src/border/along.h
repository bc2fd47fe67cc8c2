// What is known of the penalties of a range, across the border: matrices with a column for each point
// or chord of a path, which a saved path keeps.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "border/border.h"
#include "decide/along_everywhere.h"

namespace dualmargin::border {

// The numbers of a point and of a chord, by their rows.
template <class F>
void for_each_number(decide::PairNumbers& pair, F f) {
  f("lambda", pair.lambda);
  f("misfit", pair.misfit);
  f("loss", pair.loss);
  f("w1", pair.w1);
  f("ww", pair.ww);
  f("we", pair.we);
  f("ee", pair.ee);
  f("du", pair.du);
  f("dim", pair.dim);
}
template <class F>
void for_each_number(decide::Chord& chord, F f) {
  const auto flag = [&](const char* name, bool& set) {
    double value = set;
    f(name, value);
    set = value != 0;
  };
  f("l1", chord.ends.l1);
  f("l2", chord.ends.l2);
  f("f12", chord.universal.f12);
  f("f21", chord.universal.f21);
  flag("curved", chord.has_curved);
  f("g", chord.curved.g);
  f("bend", chord.curved.bend);
  f("linear", chord.curved.linear);
  f("harmonic", chord.curved.harmonic);
  f("largest", chord.curved.largest);
  flag("squared", chord.curved.squared);
}

template <class Item>
Rcpp::NumericMatrix numbers_of(std::vector<Item> items) {
  std::vector<std::string> names;
  Item blank{};
  for_each_number(blank, [&](const char* name, double&) { names.emplace_back(name); });
  Rcpp::NumericMatrix out(static_cast<int>(names.size()), static_cast<int>(items.size()));
  double* to = out.begin();
  for (Item& item : items) for_each_number(item, [&](const char*, double& v) { *to++ = v; });
  Rcpp::CharacterVector rows(names.begin(), names.end());
  out.attr("dimnames") = Rcpp::List::create(rows, R_NilValue);
  return out;
}
template <class Item>
Item item_of(const Rcpp::NumericMatrix& numbers, Index column) {
  Item item{};
  const double* from = numbers.begin() + column * numbers.nrow();
  for_each_number(item, [&](const char*, double& v) { v = *from++; });
  return item;
}

// Of class k.
inline Rcpp::List as_list(const decide::Walk& walk, Index k, bool ridge) {
  std::vector<decide::PairNumbers> points;
  std::vector<decide::Chord> chords;
  Rcpp::NumericVector worst(walk.worst.size());
  for (const auto& point : walk.numbers) points.push_back(point[k]);
  for (const auto& piece : walk.chords) chords.push_back(piece[k]);
  for (std::size_t i = 0; i < walk.worst.size(); ++i) worst[i] = walk.worst[i][k];
  Rcpp::List out =
      Rcpp::List::create(Rcpp::Named("points") = numbers_of(points),
                         Rcpp::Named("chords") = numbers_of(chords), Rcpp::Named("worst") = worst);
  if (ridge) return out;
  const Index p = points.front().w.size(), shares = decide::dual_shares.size();
  const auto count = static_cast<Index>(points.size());
  Mat w(p, count), u(p, count), misfits(shares, count);
  for (Index i = 0; i < count; ++i) {
    w.col(i) = points[i].w;
    u.col(i) = points[i].u;
    for (Index s = 0; s < shares; ++s) misfits(s, i) = points[i].misfits[s];
  }
  out["w"] = Rcpp::wrap(w);
  out["u"] = Rcpp::wrap(u);
  out["misfits"] = Rcpp::wrap(misfits);
  return out;
}

// Point i, from 0, of what as_list() made.
inline decide::PairNumbers pair_of(const Rcpp::List& kept, bool ridge, Index i) {
  auto pair = item_of<decide::PairNumbers>(kept["points"], i);
  if (ridge) return pair;
  const auto column = [&](const char* name) {
    const Rcpp::NumericMatrix all = kept[name];
    return Vec(Eigen::Map<const Vec>(all.begin() + i * all.nrow(), all.nrow()));
  };
  pair.w = column("w");
  pair.u = column("u");
  const Vec misfits = column("misfits");
  for (std::size_t s = 0; s < pair.misfits.size(); ++s) pair.misfits[s] = misfits[s];
  return pair;
}

}  // namespace dualmargin::border
