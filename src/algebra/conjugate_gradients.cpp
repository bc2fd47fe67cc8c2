#include "algebra/conjugate_gradients.h"

namespace dualmargin {

LinearSolution pcg(FunctionRef<Vec(const Vec&)> apply, FunctionRef<Vec(const Vec&)> precondition,
                   const Vec& right, FunctionRef<bool(int, double)> more) {
  LinearSolution s{Vec::Zero(right.size()), right};
  Vec search = precondition(right);
  double rho = right.dot(search);
  for (int step = 0; more(step, rho); ++step) {
    const Vec image = apply(search);
    const double curvature = search.dot(image);
    if (!(curvature > 0)) break;
    const double length = rho / curvature;
    s.solution += length * search;
    s.residual -= length * image;
    const Vec scaled = precondition(s.residual);
    const double next = s.residual.dot(scaled);
    search = scaled + (next / rho) * search;
    rho = next;
  }
  return s;
}

}  // namespace dualmargin
