// The only place where the name of a linear solver becomes a type.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "border/dispatch_loss.h"
#include "border/names.h"
#include "linear/asdca.h"
#include "linear/aspdc.h"
#include "linear/aspdc_i.h"
#include "linear/auto.h"
#include "linear/dual_cd.h"
#include "linear/fista.h"
#include "linear/interior_point.h"
#include "linear/katyusha.h"
#include "linear/lasso.h"
#include "linear/newton.h"
#include "linear/proximal_sdca.h"
#include "linear/saga.h"
#include "linear/sdca.h"
#include "linear/spd1.h"
#include "linear/spd1_vr.h"
#include "linear/spdc.h"
#include "linear/ssnal.h"
#include "linear/svrg.h"

namespace dualmargin::linear {

// Columns with terms of their own: bounds, factors of l1, or no penalty.
inline bool knows_columns(const std::string& solver, bool bounded, bool free) {
  const auto among = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* one) { return solver == one; });
  };
  if (free) return !bounded && among({"auto", "newton", "fista"});
  if (bounded) {
    return among(
        {"auto", "newton", "ssnal", "fista", "lasso", "interior_point", "dual_cd", "sdca"});
  }
  return !among({"spdc", "spd1", "spd1_vr", "svrg", "saga", "katyusha"});
}

// `option` reads an option by name; the registry on the R side fills in every default.
template <class Option>
Solution solve_linear(const std::string& solver, const LinearProblem& problem, const Option& option,
                      const Solution& start, Sampler& sampler, Run& run) {
  const auto permute = [&] {
    return border::named<bool>("sampling", option.text("sampling"),
                               {{"permutation", true}, {"uniform", false}});
  };
  const auto by_tolerance = [&] {
    return border::named<bool>("schedule", option.text("schedule"),
                               {{"tolerance", true}, {"passes", false}});
  };
  const auto passes = [&] { return option.number("inner_passes"); };
  const auto dual = [&](const DualCdOptions& options, const Solution& s) {
    return dual_cd(problem, options, s, sampler, run);
  };
  if (problem.penalty.columns != nullptr &&
      !knows_columns(solver, problem.penalty.bounded(), problem.penalty.any_free())) {
    throw std::invalid_argument("columns have terms of their own, which " + solver + " ignores");
  }
  if (solver == "auto") {
    const auto first = [&](const Solution& s) { return dual(DualCdOptions(), s); };
    const AutoOptions options{option.number("dual_passes")};
    return automatic(problem, options, first, start, sampler, run);
  }
  if (solver == "sdca") {
    return sdca(problem, SdcaOptions{permute()}, start, sampler, run);
  }
  if (solver == "newton") {
    return newton(problem, NewtonOptions{option.flag("subsample")}, start, sampler, run);
  }
  if (solver == "ssnal") {
    SsnalOptions options{option.flag("subsample"), option.number("gamma"), option.number("shrink")};
    return ssnal(problem, options, start, sampler, run);
  }
  if (solver == "aspdc") {
    return aspdc(problem, AspdcOptions{permute()}, start, sampler, run);
  }
  if (solver == "aspdc_i") {
    const AspdcIOptions options{permute(), by_tolerance(), passes(), option.number("strength")};
    return aspdc_i(problem, options, start, sampler, run);
  }
  if (solver == "spdc") return spdc(problem, SpdcOptions{permute()}, start, sampler, run);
  if (solver == "spd1") {
    return spd1(problem, Spd1Options{option.number("step")}, start, sampler, run);
  }
  if (solver == "spd1_vr") {
    const Spd1VrOptions options{option.number("step"), passes()};
    return spd1_vr(problem, options, start, sampler, run);
  }
  if (solver == "asdca") {
    const AsdcaOptions options{permute(), by_tolerance(), passes()};
    return asdca(problem, options, start, sampler, run);
  }
  if (solver == "proximal_sdca") {
    const ProximalSdcaOptions options{permute(), passes(), option.number("strength")};
    return proximal_sdca(problem, options, start, sampler, run);
  }
  if (solver == "svrg") {
    const SvrgOptions options{permute(), option.number("step"), passes()};
    return svrg(problem, options, start, sampler, run);
  }
  if (solver == "saga") return saga(problem, SagaOptions{permute()}, start, sampler, run);
  if (solver == "fista") {
    return fista(problem, FistaOptions{option.flag("restart")}, start, run);
  }
  if (solver == "katyusha") {
    return katyusha(problem, KatyushaOptions{permute(), passes()}, start, sampler, run);
  }
  if (solver == "dual_cd") {
    // on its own, with no other method to follow; as sdca
    if (!problem.losses.smooth()) run.be_patient(0.9);
    return dual({option.flag("shrinking"), option.number("block")}, start);
  }
  if (solver == "interior_point") return interior_point(problem, run);
  if (solver == "lasso") {
    LassoOptions options;
    options.working_set = static_cast<Index>(option.number("working_set"));
    options.extrapolation = option.flag("extrapolation");
    options.screening = option.flag("screening");
    return lasso(problem, options, start, run);
  }
  border::unknown("solver", solver);
}

}  // namespace dualmargin::linear
