// Files of rows, as write_rows() makes them and read_rows() opens them: written chunk by chunk, and
// looked into. Between two calls R holds a draft, a list of plain values.
#include "border/disk.h"

#include <memory>
#include <string>
#include <vector>

#include "rows/disk_writer.h"
#include "rows/row_store.h"

using namespace dualmargin;

namespace {

DiskDraft draft_from(const Rcpp::List& list) {
  const border::Options option(list);
  DiskDraft draft;
  draft.path = option.text("path");
  draft.draft = option.text("draft");
  draft.head.sparse = option.flag("sparse");
  draft.head.n = static_cast<Index>(option.number("n"));
  draft.head.d = static_cast<Index>(option.number("d"));
  draft.head.entries = static_cast<Word>(option.number("entries"));
  draft.head.chunks = static_cast<Word>(option.number("chunks"));
  draft.used = static_cast<Index>(option.number("used"));
  draft.bytes = static_cast<Word>(option.number("bytes"));
  return draft;
}

Rcpp::List list_of(const DiskDraft& d) {
  return Rcpp::List::create(
      Rcpp::_["path"] = d.path, Rcpp::_["draft"] = d.draft, Rcpp::_["sparse"] = d.head.sparse,
      Rcpp::_["n"] = static_cast<double>(d.head.n), Rcpp::_["d"] = static_cast<double>(d.head.d),
      Rcpp::_["entries"] = static_cast<double>(d.head.entries),
      Rcpp::_["chunks"] = static_cast<double>(d.head.chunks),
      Rcpp::_["used"] = static_cast<double>(d.used),
      Rcpp::_["bytes"] = static_cast<double>(d.bytes));
}

// The rows in the form of the file, whatever that of the matrix is: zeros of a dense matrix are not
// stored, and those of a sparse one are written out.
struct OtherForm {
  std::vector<Start> start{0};
  std::vector<int> column;
  std::vector<double> value;

  OtherForm() = default;
  explicit OtherForm(const Storage& x) {
    if (x.is_sparse()) {
      value.assign(static_cast<std::size_t>(x.n() * x.dim()), 0.0);
      for (Index i = 0; i < x.n(); ++i) {
        x.for_each(i, [&](Index j, double v) { value[i * x.dim() + j] = v; });
      }
      return;
    }
    for (Index i = 0; i < x.n(); ++i) {
      x.for_each(i, [&](Index j, double v) {
        if (v == 0) return;
        column.push_back(static_cast<int>(j));
        value.push_back(v);
      });
      start.push_back(static_cast<Start>(value.size()));
    }
  }
};

}  // namespace

// draft: as list_of() returns it, with nothing written; `draft`, the name until the file is whole,
// is in the folder of `path`.
// [[Rcpp::export(rng = false)]]
Rcpp::List rows_file_begin_cpp(const Rcpp::List& draft) {
  return border::or_fault([&] {
    DiskDraft d = draft_from(draft);
    begin_rows(d);
    return list_of(d);
  });
}

// x: a matrix, a dgRMatrix or a dgCMatrix, of any number of rows. On a fault the draft is removed.
// [[Rcpp::export(rng = false)]]
Rcpp::List rows_file_append_cpp(const Rcpp::List& draft, SEXP x) {
  DiskDraft d = draft_from(draft);
  const auto append = [&] {
    const RowStore rows(border::view(x));
    const std::unique_ptr<Storage> data = rows.storage(0);
    RowBlock block;
    block.rows = data->n();
    block.columns = data->dim();
    OtherForm other;
    std::vector<Start> start(1, 0);
    if (data->is_sparse() != d.head.sparse) {
      other = OtherForm(*data);
      if (d.head.sparse) block.start = other.start.data();
      block.column = other.column.data();
      block.value = other.value.data();
    } else if (const auto* sparse = dynamic_cast<const Sparse*>(data.get())) {
      for (Index i = 0; i < data->n(); ++i) start.push_back(start.back() + data->nonzeros(i));
      block.start = start.data();
      block.column = sparse->columns_of(0);
      block.value = sparse->entries(0);
    } else {
      block.value = dynamic_cast<const Dense&>(*data).values();
    }
    append_rows(d, block);
    return list_of(d);
  };
  return border::or_fault([&] {
    try {
      return append();
    } catch (const RowsFileError&) {
      remove_file(d.draft);
      throw;
    }
  });
}

// y: codes, see rows/disk_format.h; y, weights: NULL, or doubles, one a row. notes: list(d, task,
// levels, names, extra). Returns what the file says. On a fault the draft is removed.
// [[Rcpp::export(rng = false)]]
Rcpp::List rows_file_finish_cpp(const Rcpp::List& draft, SEXP y, SEXP weights,
                                const Rcpp::List& notes) {
  DiskDraft d = draft_from(draft);
  DiskNotes own;
  own.task = Rcpp::as<std::string>(notes["task"]);
  own.levels = border::texts(Rcpp::CharacterVector(notes["levels"]));
  own.names = border::texts(Rcpp::CharacterVector(notes["names"]));
  const Rcpp::RawVector extra(notes["extra"]);
  own.extra.assign(extra.begin(), extra.end());
  const auto columns = static_cast<Index>(Rcpp::as<double>(notes["d"]));
  const auto numbers = [&](SEXP x) -> const double* {
    if (Rf_isNull(x)) return nullptr;
    if (TYPEOF(x) != REALSXP || Rf_xlength(x) != d.head.n)
      throw std::invalid_argument("not one a row");
    return REAL(x);
  };
  if (columns < d.used) throw std::invalid_argument("fewer columns than rows have entries in");
  return border::or_fault([&] {
    try {
      finish_rows(d, columns, numbers(y), numbers(weights), own);
    } catch (const RowsFileError&) {
      remove_file(d.draft);
      throw;
    }
    return border::info(DiskRows(d.path));
  });
}

// A file that R has written under the name `draft`, in the same folder. NULL, or a fault.
// [[Rcpp::export(rng = false)]]
SEXP put_in_place_cpp(const std::string& draft, const std::string& path) {
  try {
    DiskFile(draft, DiskFile::Use::append).settle();
    put_in_place(draft, path);
  } catch (const RowsFileError& error) {
    return Rf_mkString(error.what());
  }
  return R_NilValue;
}

// The checksum of the first `bytes` of a file.
// [[Rcpp::export(rng = false)]]
std::string file_checksum_cpp(const std::string& path, double bytes) {
  const DiskFile file(path, DiskFile::Use::read);
  std::vector<unsigned char> part(std::size_t{1} << 20);
  Checksum sum;
  const auto end = static_cast<Word>(bytes);
  for (Word done = 0; done < end;) {
    const auto size = static_cast<std::size_t>(std::min<Word>(part.size(), end - done));
    file.read(part.data(), size, done);
    sum.add(part.data(), size);
    done += size;
  }
  return border::hexadecimal(sum.value());
}

// What is half written goes.
// [[Rcpp::export(rng = false)]]
void rows_file_abandon_cpp(const Rcpp::List& draft) { remove_file(draft_from(draft).draft); }

// [[Rcpp::export(rng = false)]]
Rcpp::List rows_file_info_cpp(const std::string& path) {
  return border::or_fault([&] { return border::info(DiskRows(path)); });
}

// Every byte of the chunks held against its checksum, and their heads against the tail.
// [[Rcpp::export(rng = false)]]
Rcpp::List rows_file_verify_cpp(const std::string& path) {
  return border::or_fault([&] {
    const DiskRows rows(path);
    for (std::size_t k = 0; k < rows.chunks().size(); ++k) {
      Rcpp::checkUserInterrupt();
      const DiskChunk& c = rows.chunks()[k];
      const Word expected[] = {DiskChunk::mark, c.rows, c.entries, c.checksum};
      Word head[4];
      static_assert(sizeof head == DiskChunk::head_bytes && sizeof head == sizeof expected);
      rows.read(head, sizeof head, c.place);
      if (std::memcmp(head, expected, sizeof head) != 0) {
        throw RowsFileError(path, "is damaged: the head of a chunk does not fit the tail",
                            static_cast<double>(k) + 1, static_cast<double>(c.first) + 1);
      }
      rows.verify(static_cast<Index>(k));
    }
    return border::info(rows);
  });
}

// list(y, weights): of all rows, NULL where the file has none.
// [[Rcpp::export(rng = false)]]
Rcpp::List rows_file_labels_cpp(const std::string& path) {
  return border::or_fault([&] {
    const DiskRows rows(path);
    Rcpp::List out = Rcpp::List::create(Rcpp::_["y"] = R_NilValue, Rcpp::_["weights"] = R_NilValue);
    if (rows.head().labels) out["y"] = Rcpp::wrap(rows.labels());
    if (rows.head().weights) out["weights"] = Rcpp::wrap(rows.weights());
    return out;
  });
}

// Some rows, from 1, in the order in which they are named: list(p, j, x) of compressed rows, or
// list(x), a matrix. Neighbours are read at once, and each chunk is held against its checksum before
// anything is made of it: once a call, or, for who reads all rows from `held` on in several calls, in
// that where the chunk begins.
// [[Rcpp::export(rng = false)]]
Rcpp::List rows_file_read_cpp(const std::string& path, const Rcpp::NumericVector& which,
                              double held) {
  return border::or_fault([&] {
    const DiskRows rows(path);
    const bool sparse = rows.head().sparse;
    const auto count = static_cast<Index>(which.size()), d = rows.d();
    std::vector<int> p(1, 0), j;
    std::vector<double> x;
    Rcpp::NumericMatrix dense(sparse ? 0 : static_cast<int>(count),
                              sparse ? 0 : static_cast<int>(d));
    for (Index r = 0; r < count;) {
      Rcpp::checkUserInterrupt();
      const auto first = static_cast<Index>(which[r]) - 1;
      if (first < 0 || first >= rows.n()) {
        throw RowsFileError(path, "has no row of that number", 0, static_cast<double>(first) + 1);
      }
      const Index most =
          sparse ? count - r : std::max<Index>(1, (Index{1} << 20) / std::max<Index>(1, d));
      Index run = 1;
      while (run < most && r + run < count && which[r + run] == which[r] + run) ++run;
      run = std::min(run, rows.left_in_chunk(first));
      const Index chunk = rows.chunk_of(first);
      const Index begin = std::max(rows.chunks()[static_cast<std::size_t>(chunk)].first,
                                   static_cast<Index>(held) - 1);
      if (held <= 0) rows.hold(chunk);
      if (held > 0 && first <= begin && begin < first + run) rows.verify(chunk);
      if (sparse) {
        rows.read_rows(first, run, p, j, x);
      } else {
        x.clear();
        rows.read_rows(first, run, p, j, x);
        for (Index q = 0; q < d; ++q) {
          for (Index i = 0; i < run; ++i) {
            dense(static_cast<int>(r + i), static_cast<int>(q)) = x[i * d + q];
          }
        }
      }
      r += run;
    }
    if (!sparse) return Rcpp::List::create(Rcpp::_["x"] = dense);
    return Rcpp::List::create(Rcpp::_["p"] = Rcpp::wrap(p), Rcpp::_["j"] = Rcpp::wrap(j),
                              Rcpp::_["x"] = Rcpp::wrap(x));
  });
}
