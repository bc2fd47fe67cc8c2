#include "border/dispatch_kernel.h"

#include <algorithm>

#include "border/names.h"

namespace dualmargin::kernel {

namespace {

BlockSdcaOptions block_options(const border::Options& option) {
  return {static_cast<Index>(option.number("block")),
          static_cast<int>(option.number("inner_passes")),
          static_cast<Index>(option.number("memory"))};
}

bool permuted(const border::Options& option) {
  return border::named<bool>("sampling", option.text("sampling"),
                             {{"permutation", true}, {"uniform", false}});
}

}  // namespace

bool asks_for_few_rows(const std::string& solver, const Loss& loss) {
  return solver == "smo" || (solver == "auto" && !loss.smooth());
}

Solution solve_kernel(const std::string& solver, const KernelProblem& problem,
                      const border::Options& option, const Solution& start, Sampler& sampler,
                      Run& run) {
  // for rows of a kernel that is not stored, beside what is
  const double room = 1e6 * option.number("cache_mb") - problem.x().kernel().bytes();
  SmoOptions smo_options;
  smo_options.cache_bytes = std::max(0.0, room);
  const InteriorPointOptions inner_options{smo_options.cache_bytes};
  if (solver == "auto") {
    return automatic(problem, smo_options, inner_options, start, sampler, run);
  }
  if (solver == "interior_point") return interior_point(problem, inner_options, start, run);
  if (solver == "newton") return newton(problem, start, run);
  if (solver == "block_sdca") {
    return block_sdca(problem, block_options(option), start, sampler, run);
  }
  if (solver == "smo") {
    smo_options.shrinking = option.flag("shrinking");
    return smo(problem, smo_options, start, run);
  }
  if (solver == "sdca") return sdca(problem, permuted(option), start, sampler, run);
  if (solver == "mixup_naive") {
    return mixup_naive(problem, permuted(option), start, sampler, run);
  }
  if (solver == "mixup_approx") {
    return mixup_approx(problem, permuted(option), start, sampler, run);
  }
  if (solver == "mixup_decomp") {
    return mixup_decomp(problem, permuted(option), start, sampler, run);
  }
  if (solver == "sgd") {
    const SgdOptions options{permuted(option), option.number("step")};
    return sgd(problem, options, start, sampler, run);
  }
  border::unknown("solver", solver);
}

SoftmaxSolution solve_softmax(const std::string& solver, const SoftmaxProblem& problem,
                              const border::Options& option, const SoftmaxSolution& start,
                              Sampler& sampler, Run& run) {
  if (solver == "auto") return automatic(problem, start, sampler, run);
  if (solver == "newton") return newton(problem, start, run);
  if (solver == "block_sdca") {
    return block_sdca(problem, block_options(option), start, sampler, run);
  }
  border::unknown("solver", solver);
}

}  // namespace dualmargin::kernel
