// What a search for the best penalty has found, across the border.
#pragma once

#include "border/border.h"
#include "decide/along_search.h"

namespace dualmargin::border {

Rcpp::List as_list(const decide::Search& found);

}  // namespace dualmargin::border
