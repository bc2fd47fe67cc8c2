// How much memory and how many processors the machine has.
#include <Rcpp.h>

#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

// Bytes, or NA where the system does not say.
// [[Rcpp::export(rng = false)]]
double physical_memory_cpp() {
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
  const double size = static_cast<double>(sysconf(_SC_PAGESIZE));
  if (pages > 0 && size > 0) return pages * size;
#endif
  return NA_REAL;
}

// NA where the system does not say.
// [[Rcpp::export(rng = false)]]
double processors_cpp() {
  const double count = std::thread::hardware_concurrency();
  return count > 0 ? count : NA_REAL;
}
