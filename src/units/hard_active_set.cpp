// The active set alone: an orthogonal factorisation takes as much to compile as all other methods.
#include "hard/active_set.cpp"
