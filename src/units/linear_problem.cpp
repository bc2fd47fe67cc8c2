// The linear problem, what is asked of it beside its solution, and the interior point method.
#include "linear/cost_model.cpp"
#include "linear/free_columns.cpp"
#include "linear/interior_point.cpp"
#include "linear/path_scale.cpp"
#include "linear/problem.cpp"
#include "linear/residual_scale.cpp"
