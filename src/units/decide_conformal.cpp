// Conformal sets.
#include "decide/conformal_altered.cpp"
#include "decide/conformal_counts.cpp"
#include "decide/conformal_full.cpp"
#include "decide/conformal_left_out.cpp"
#include "decide/conformal_metric.cpp"
#include "decide/conformal_scales.cpp"
#include "decide/conformal_segments.cpp"
