// The rows of a solved problem, and what a pair of it says row by row.
#include "region/ball.cpp"
#include "region/classes.cpp"
#include "region/offset.cpp"
#include "region/pair.cpp"
#include "region/tilt.cpp"
