// Linear systems, norms and what the interior point methods share.
#include "algebra/cholesky.cpp"
#include "algebra/conjugate_gradients.cpp"
#include "algebra/function_space.cpp"
#include "algebra/interior_point.cpp"
#include "algebra/line_search.cpp"
#include "algebra/lru_cache.cpp"
#include "algebra/norm_cone.cpp"
#include "algebra/normal_matrix.cpp"
