// Rows that leave a fit of one score.
#include "decide/removal_ball.cpp"
#include "decide/removal_tilt.cpp"
#include "decide/remove.cpp"
#include "decide/remove_functions.cpp"
#include "decide/space.cpp"
