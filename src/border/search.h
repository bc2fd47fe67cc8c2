// What a search for the best penalty has found, across the border.
#pragma once

#include <vector>

#include "border/call.h"
#include "decide/along_search.h"

namespace dualmargin::border {

Rcpp::List as_list(const decide::Search& found);

// As tune_search_cpp(), with the softmax loss; own: the class of each row.
Rcpp::List search_of_classes(FitCall& call, const MatrixView& view, const std::vector<Index>& own,
                             const RowVec& counted, const Rcpp::List& folds,
                             const decide::SearchLimits& limits, Tick& tick);

}  // namespace dualmargin::border
