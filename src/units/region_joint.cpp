// What is certain of the optimum of a problem of all classes.
#include "region/joint_ellipsoid.cpp"
#include "region/joint_intervals.cpp"
#include "region/of_joint.cpp"
