#include "core/device/operations/families.h"

namespace loom::device {

// wmma of CUDA's mma.h: fragments that load, multiply and store tiles of a warp, in all shapes.
const OperationFamily& wmmaFamily();
// cp.async: copies from global to shared memory past registers. No call is read as these: lowering makes them.
extern const OperationFamily kAsyncCopy;
// Elements loaded where a condition holds, without a branch. No call is read as these either.
extern const OperationFamily kGuardedLoad;
// mma.sync on what the lanes of a warp hold, and ldmatrix, which brings it there.
extern const OperationFamily kMma;
// Shuffles between the lanes of a warp.
extern const OperationFamily kShuffle;

// The copy engine, TMA. No call is read as these: lowering makes them.
const OperationFamily& copyEngineFamily();
// wgmma: products of a warpgroup.
const OperationFamily& wgmmaFamily();

std::span<const OperationFamily* const> operationFamilies() {
  static const OperationFamily* const kFamilies[] = {&wmmaFamily(), &kAsyncCopy,         &kGuardedLoad, &kMma,
                                                     &kShuffle,     &copyEngineFamily(), &wgmmaFamily()};
  return kFamilies;
}

}  // namespace loom::device
