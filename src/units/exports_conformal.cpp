// Functions that R calls: conformal sets, and decisions of fits of all classes.
#include "conformal.cpp"
#include "conformal_full.cpp"
#include "conformal_left_out.cpp"
#include "decide_joint.cpp"
