// Rows that leave a fit, across the border: class problems, whatever their rows are, and the sets
// that leave them.
#pragma once

#include <vector>

#include "border/decide.h"
#include "decide/left_out.h"

namespace dualmargin::border {

// What was found of left-out rows, whatever solved them.
Rcpp::List as_list(const decide::LeftOutRounds& found, const std::vector<region::Ends>& ends,
                   bool of_classes, bool with_losses);

// coefficients: are they asked for, or else the scores?
Rcpp::List removal(const decide::LeftOut::Problems& problems, const Rcpp::List& problem,
                   const Rcpp::List& asked, Tick& tick);

// Of one problem of all classes.
Rcpp::List removal_of_classes(const FittedRows& of, const Rcpp::List& asked);

}  // namespace dualmargin::border
