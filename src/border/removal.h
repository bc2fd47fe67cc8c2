// Rows that leave a fit, across the border: class problems, whatever their rows are, and the sets
// that leave them.
#pragma once

#include <vector>

#include "border/decide.h"
#include "decide/left_out.h"

namespace dualmargin::border {

// What is found of left-out rows. asked: sets of rows, from 1; the precision to which the sum of the losses
// is to be known; effort.
Rcpp::List left_out(const decide::LeftOut::Problems& problems, const decide::LeftOutLosses& losses,
                    const Rcpp::List& asked, Tick& tick);

// coefficients: are they asked for, or else the scores?
Rcpp::List removal(const decide::LeftOut::Problems& problems, const Rcpp::List& problem,
                   const Rcpp::List& asked, Tick& tick);

// Of one problem of all classes.
Rcpp::List removal_of_classes(const FittedRows& of, const Rcpp::List& asked);

}  // namespace dualmargin::border
