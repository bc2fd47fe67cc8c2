// Gradient methods of the linear family, and working sets of columns.
#include "linear/column_view.cpp"
#include "linear/fista.cpp"
#include "linear/katyusha.cpp"
#include "linear/lasso.cpp"
#include "linear/saga.cpp"
#include "linear/svrg.cpp"
