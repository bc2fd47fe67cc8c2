// What is certain of the optimum of a problem of columns.
#include "region/ellipsoid.cpp"
#include "region/of_hard.cpp"
#include "region/of_limit.cpp"
#include "region/of_robust.cpp"
#include "region/region.cpp"
#include "region/secant.cpp"
