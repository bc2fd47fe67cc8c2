// The penalty with the fewest errors of rows held out.
#include "decide/along_fold.cpp"
#include "decide/along_search.cpp"
#include "decide/equal_rows.cpp"
#include "decide/joint_fold.cpp"
