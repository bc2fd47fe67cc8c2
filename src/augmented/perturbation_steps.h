// The perturbations that are known by name; each is described where it is defined.
#pragma once

#include "augmented/perturbation.h"

namespace dualmargin::augmented {

std::unique_ptr<PerturbationStep> dropout(double rate, bool balanced);
std::unique_ptr<PerturbationStep> rescale(double width, bool balanced);
std::unique_ptr<PerturbationStep> gaussian_noise(double sd, bool balanced);
std::unique_ptr<PerturbationStep> image_shift(Index height, Index width, Index shift,
                                              bool balanced);

}  // namespace dualmargin::augmented
