// The robust support vector machine: the interior point method.
#include "robust/cone.cpp"
#include "robust/interior_point.cpp"
#include "robust/newton_matrix.cpp"
