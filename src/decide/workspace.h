// The rows of a question, stored and scaled once, with labels, weights, the
// loss and the threads that work on them: at every penalty a problem, and a pair of it from any
// point.
#pragma once

#include <utility>

#include "region/region.h"

namespace dualmargin::decide {

class Workspace {
 public:
  const RowVec y, omega;
  const Rows rows;
  const LossPtr phi;
  const bool free;

  // data: what a store hands out, which must outlive this
  Workspace(const Storage& data, RowVec y_, RowVec omega_, const LossPtr& phi_, bool free_,
            Team& team)
      : y(std::move(y_)),
        omega(std::move(omega_)),
        rows(data, y, omega, team),
        phi(phi_),
        free(free_) {}
  // The same rows with other labels, those of another class.
  Workspace(const Workspace& like, RowVec y_)
      : y(std::move(y_)), omega(like.omega), rows(like.rows, y), phi(like.phi), free(like.free) {}
  Workspace(const Workspace&) = delete;

  region::Problem at(const ElasticNet& g) const { return {rows, phi, g, free}; }
};

}  // namespace dualmargin::decide
