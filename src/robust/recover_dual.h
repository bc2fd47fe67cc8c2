// Feasible multipliers for a primal point that came without any.
//
// Rows that are clearly in one piece of their loss have a vertex of the triangle for multipliers.
// The others, those near a kink, share what is left: with the clear rows replaced by their pieces
// that is the saddle point of saddle.h on fewer rows, and a piece is never above its row's loss:
// what bounds this problem bounds the whole one. Restarted PDHG solves it, from the point and its
// last multipliers, for as long as it may.
//
// The active pieces alone would not do: at the optimum most rows can lie on a kink, and the share
// of each piece decides whether v and theta fit (J. Li, C. Chen, A. M.-C. So (2020),
// arXiv:2010.12865, have no multipliers and no bound).
#pragma once

#include "robust/robust_svm.h"

namespace dualmargin::robust {

// Epochs that a recovery may always take, at the limit of the fit's epochs too.
constexpr double least_recovery = 20;

// Multipliers of s for its (w, b, t), in place; the ones it has are where the search starts. Spends
// about `work` epochs, or less if the bound is good enough.
void recover_dual(const RobustSvm& problem, Solution& s, double work, Run& run);

}  // namespace dualmargin::robust
