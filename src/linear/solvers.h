// The solvers of the linear family, each in a file of its name; the interior point method has a
// header of its own.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct AsdcaOptions {
  bool permute = false;
  bool tolerance_schedule = false;
  double inner_passes = 2;
};

struct AspdcOptions {
  bool permute = false;  // the paper draws with replacement
};

struct AspdcIOptions {
  bool permute = false;
  bool tolerance_schedule = false;  // Algorithm 2
  double inner_passes = 2;
  double strength = 4;  // lambda + kappa in units of 1/(n gamma)
};

struct AutoOptions {
  double dual_passes = 8;
};

struct DualCdOptions {
  bool shrink = true;
};

struct FistaOptions {
  bool restart = true;
};

struct KatyushaOptions {
  bool permute = false;
  double inner_passes = 2;
};

struct LassoOptions {
  Index working_set = 100;  // size of the first set
  bool screening = true;
};

struct LbfgsOptions {
  bool subsample = true;
};

struct NewtonOptions {
  bool subsample = true;
};

struct ProximalSdcaOptions {
  bool permute = false;
  double inner_passes = 2;
  double strength = 1;  // kappa in units of 1/(n gamma)
};

struct SagaOptions {
  bool permute = false;
};

struct SdcaOptions {
  bool permute = true;  // a fresh random order each epoch; false: draws with replacement
};

struct Spd1Options {
  double step = 0.5;  // theta
};

struct Spd1VrOptions {
  double step = 0.25, inner_passes = 2;
};

struct SpdcOptions {
  bool permute = false;
};

struct SsnalOptions {
  bool subsample = true;
  double gamma = 1, shrink = 0.3;
};

struct SvrgOptions {
  bool permute = false;
  double step = 0.1, inner_passes = 2;
};

Solution asdca(const LinearProblem&, const AsdcaOptions&, const Solution& start, Sampler&, Run&);
Solution aspdc(const LinearProblem&, const AspdcOptions&, const Solution& start, Sampler&, Run&);
Solution aspdc_i(const LinearProblem&, const AspdcIOptions&, const Solution& start, Sampler&, Run&);
Solution automatic(const LinearProblem&, const AutoOptions&, const Solution& start, Sampler&, Run&);
Solution dual_cd(const LinearProblem&, const DualCdOptions&, const Solution& start, Sampler&, Run&);
Solution fista(const LinearProblem&, const FistaOptions&, const Solution& start, Sampler&, Run&);
Solution katyusha(const LinearProblem&, const KatyushaOptions&, const Solution& start, Sampler&,
                  Run&);
Solution lasso(const LinearProblem&, const LassoOptions&, const Solution& start, Sampler&, Run&);
Solution lbfgs(const LinearProblem&, const LbfgsOptions&, const Solution& start, Sampler&, Run&);
Solution newton(const LinearProblem&, const NewtonOptions&, const Solution& start, Sampler&, Run&);
Solution proximal_sdca(const LinearProblem&, const ProximalSdcaOptions&, const Solution& start,
                       Sampler&, Run&);
Solution saga(const LinearProblem&, const SagaOptions&, const Solution& start, Sampler&, Run&);
Solution sdca(const LinearProblem&, const SdcaOptions&, const Solution& start, Sampler&, Run&);
Solution spd1(const LinearProblem&, const Spd1Options&, const Solution& start, Sampler&, Run&);
Solution spd1_vr(const LinearProblem&, const Spd1VrOptions&, const Solution& start, Sampler&, Run&);
Solution spdc(const LinearProblem&, const SpdcOptions&, const Solution& start, Sampler&, Run&);
Solution ssnal(const LinearProblem&, const SsnalOptions&, const Solution& start, Sampler&, Run&);
Solution svrg(const LinearProblem&, const SvrgOptions&, const Solution& start, Sampler&, Run&);

// subsample.cpp: (w, b) after the sampled runs on the risk smoothed by q around a = 0; the start
// itself when there are too few rows for a sample to say something (four a coordinate) or one class
// is missing in it.
Solution subsample_start(const LinearProblem& problem, double q, Solution s, Sampler& sampler,
                         Run& run);

}  // namespace dualmargin::linear
