// Rounds in which sets of rows are left out.
#include "decide/joint_removal.cpp"
#include "decide/left_out.cpp"
#include "decide/left_out_losses.cpp"
#include "decide/removal_step.cpp"
