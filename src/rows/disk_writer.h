// A file of rows is written chunk by chunk under another name, and gets its own once it is whole.
// Between two chunks nothing is kept but a few numbers.
#pragma once

#include <string>

#include "rows/disk_format.h"

namespace dualmargin {

// A file that is being written: `draft` is its name until it is whole.
struct DiskDraft {
  std::string path, draft;
  DiskHead head;   // of what is written
  Index used = 0;  // columns that rows have entries in
  Word bytes = DiskHead::bytes;
};

// Rows to be written. Compressed, or dense one after another; the first start may be any.
struct RowBlock {
  Index rows = 0, columns = 0;
  const Start* start = nullptr;  // null: dense
  const int* column = nullptr;
  const double* value = nullptr;
};

void begin_rows(DiskDraft& draft);

void append_rows(DiskDraft& draft, const RowBlock& block);

// `columns`: of the file, at least those that are used. labels, weights: of all rows; null: none.
void finish_rows(DiskDraft& draft, Index columns, const double* labels, const double* weights,
                 const DiskNotes& notes);

}  // namespace dualmargin
