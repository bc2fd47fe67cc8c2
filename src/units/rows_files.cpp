// Rows in a file. The calls of the system come last: the headers of Windows define macros.
#include "rows/checksum.cpp"
#include "rows/disk_format.cpp"
#include "rows/disk_io.cpp"
#include "rows/disk_rows.cpp"
#include "rows/disk_store.cpp"
#include "rows/disk_writer.cpp"
