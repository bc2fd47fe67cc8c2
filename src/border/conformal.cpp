#include "border/conformal.h"

#include <memory>
#include <string>

#include "decide/conformal_scales.h"
#include "decide/workspace.h"

namespace dualmargin::border {

Rcpp::List ConformalRows::visit(
    const Rcpp::List& frame, const Rcpp::List& problem,
    FunctionRef<Rcpp::List(const decide::AlteredOptima&, Tick&)> f) const {
  Tick tick = patient();
  Team team(Rcpp::as<int>(frame["threads"]), number_at(frame, "chunk_entries"));
  const std::unique_ptr<Storage> data = stored.storage(place);
  const decide::Workspace workspace(*data, RowVec(Vec(vec_at(problem, "y"))), RowVec(omega),
                                    border::loss_of(problem), free, team);
  const auto at = workspace.at({0, number_at(problem, "mu")});
  const Vec w = vec_at(problem, "w");
  const double b = free ? number_at(problem, "b") + origin.dot(w) : 0.0;
  const decide::AlteredOptima of_fit(at, w, b, tick);
  if (!of_fit.usable() || at.phi.curving() != Curving::sudden) return f(of_fit, tick);
  // From a loose fit each set would begin with a Hessian of other rows than bend at the optimum.
  Vec nearer = w;
  double offset = b;
  const auto use = [&](const decide::AlteredOptima::Point& p) {
    nearer = p.w;
    offset = p.b;
    return p.near;
  };
  of_fit.newton(of_fit.unaltered(), w, b, 0, use, tick);
  return f(decide::AlteredOptima(at, nearer, offset, tick), tick);
}

}  // namespace dualmargin::border
