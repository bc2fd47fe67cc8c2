// What is certain of the optimum of a problem of a kernel.
#include "region/function_ellipsoid.cpp"
#include "region/function_rows.cpp"
#include "region/newton.cpp"
#include "region/of_kernel.cpp"
#include "region/of_one_class.cpp"
