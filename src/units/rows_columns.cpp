// What becomes of a user's matrix: its columns, its text, and the rows made of it.
#include "rows/column_frame.cpp"
#include "rows/column_scale.cpp"
#include "rows/columns.cpp"
#include "rows/decimal.cpp"
#include "rows/distinct_rows.cpp"
#include "rows/libsvm_reader.cpp"
#include "rows/matrix_view.cpp"
#include "rows/row_store.cpp"
