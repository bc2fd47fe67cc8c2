// What holds for all penalties of a range.
#include "decide/along_rows.cpp"
#include "decide/along_spans.cpp"
#include "decide/smooth_chord.cpp"
