// Conformal sets, and questions to a fit of all classes in one problem.
// Conformal sets.
#include "decide/conformal_counts.cpp"
#include "decide/conformal_full.cpp"
#include "decide/conformal_left_out.cpp"
#include "decide/conformal_scales.cpp"
#include "decide/conformal_segments.cpp"
#include "decide/joint_asked.cpp"
#include "decide/joint_change.cpp"
#include "decide/joint_chord.cpp"
#include "decide/joint_fit.cpp"
#include "decide/joint_problem.cpp"
