#include "decide/removal_step.h"

namespace dualmargin::decide {

template class RemovalStep<Mat, Vec>;

}  // namespace dualmargin::decide
