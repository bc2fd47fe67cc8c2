// Questions to a fit of all classes in one problem.
#include "decide/joint_asked.cpp"
#include "decide/joint_change.cpp"
#include "decide/joint_chord.cpp"
#include "decide/joint_fit.cpp"
#include "decide/joint_problem.cpp"
