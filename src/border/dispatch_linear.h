// The only place where the name of a linear solver becomes a type.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "border/border.h"
#include "border/names.h"
#include "linear/interior_point.h"
#include "linear/solvers.h"

namespace dualmargin::linear {

// Columns with terms of their own: bounds, factors of l1, or no penalty.
inline bool knows_columns(const std::string& solver, bool bounded, bool free) {
  const auto among = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* one) { return solver == one; });
  };
  if (free) return !bounded && among({"auto", "newton", "lbfgs", "fista"});
  if (bounded) {
    return among(
        {"auto", "newton", "ssnal", "fista", "lasso", "interior_point", "dual_cd", "sdca"});
  }
  return !among({"spdc", "spd1", "spd1_vr", "svrg", "saga", "katyusha"});
}

// `option` reads an option by name; the registry on the R side fills in every default.
inline Solution solve_linear(const std::string& solver, const LinearProblem& problem,
                             const border::Options& option, const Solution& start, Sampler& sampler,
                             Run& run) {
  const auto permute = [&] {
    return border::named<bool>("sampling", option.text("sampling"),
                               {{"permutation", true}, {"uniform", false}});
  };
  const auto by_tolerance = [&] {
    return border::named<bool>("schedule", option.text("schedule"),
                               {{"tolerance", true}, {"passes", false}});
  };
  const auto passes = [&] { return option.number("inner_passes"); };
  if (problem.penalty.columns != nullptr &&
      !knows_columns(solver, problem.penalty.bounded(), problem.penalty.any_free())) {
    throw std::invalid_argument("columns have terms of their own, which " + solver + " ignores");
  }
  if (solver == "auto") {
    return automatic(problem, AutoOptions{option.number("dual_passes")}, start, sampler, run);
  }
  if (solver == "sdca") {
    return sdca(problem, SdcaOptions{permute()}, start, sampler, run);
  }
  if (solver == "lbfgs") {
    return lbfgs(problem, LbfgsOptions{option.flag("subsample")}, start, sampler, run);
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
    return fista(problem, FistaOptions{option.flag("restart")}, start, sampler, run);
  }
  if (solver == "katyusha") {
    return katyusha(problem, KatyushaOptions{permute(), passes()}, start, sampler, run);
  }
  if (solver == "dual_cd") {
    // on its own, with no other method to follow; as sdca
    if (!problem.losses.smooth()) run.be_patient(0.9);
    return dual_cd(problem, DualCdOptions{option.flag("shrinking")}, start, sampler, run);
  }
  if (solver == "interior_point") return interior_point(problem, {}, start, sampler, run);
  if (solver == "lasso") {
    LassoOptions options;
    options.working_set = static_cast<Index>(option.number("working_set"));
    options.screening = option.flag("screening");
    return lasso(problem, options, start, sampler, run);
  }
  border::unknown("solver", solver);
}

// By the solvers that read rows in whole passes: for rows in a file, and for rows that several ranks
// hold. "auto" is Newton's method for a smooth loss, else SSNAL, both from a start on samples of the rows
// where `samples` says so.
inline Solution solve_in_passes(const std::string& solver, const LinearProblem& problem,
                                const border::Options& option, const Solution& start,
                                Sampler& draws, Run& run, bool samples) {
  const bool choose = solver == "auto", smooth = problem.losses.smooth();
  const auto subsample = [&] { return choose ? samples : option.flag("subsample"); };
  if (solver == "newton" || (choose && smooth)) {
    return newton(problem, NewtonOptions{subsample()}, start, draws, run);
  }
  if (solver == "ssnal" || choose) {
    SsnalOptions options;
    options.subsample = subsample();
    if (!choose) {
      options.gamma = option.number("gamma");
      options.shrink = option.number("shrink");
    }
    return ssnal(problem, options, start, draws, run);
  }
  if (solver == "lbfgs") {
    return lbfgs(problem, LbfgsOptions{subsample()}, start, draws, run);
  }
  if (solver == "fista") {
    return fista(problem, FistaOptions{option.flag("restart")}, start, draws, run);
  }
  border::unknown("solver that reads rows in whole passes", solver);
}

}  // namespace dualmargin::linear
