// From a store of rows to the rows of a problem.
#pragma once

#include "rows/rows.h"

namespace dualmargin::border {

// f(rows), with a bias coordinate unless bias is 0; labels and weights outlive them.
template <class Store, class F>
void with_rows(const Store& store, double bias, const RowVec& labels, const RowVec& weights,
               Team& team, F f) {
  store.visit(bias, [&](const auto& data) { f(Rows(data, labels, weights, team)); });
}

}  // namespace dualmargin::border
