// The primitives of a schedule as rows of one table (`instructions()` in instruction.h). Each function …Instruction
// returns the row of the primitive that it is named after: splitInstruction() that of `split`. It is defined in the
// same file as the primitive. `findBlock` serves several of them.
#pragma once
#include "core/schedule/instruction.h"

namespace loom::schedule {

// Returns the only block of this name in the function with the index `function` in Module::functions. Error
// "NotSingleResult" if there is none, as for an index out of range, or if there are several.
Result<Id> findBlock(const Program& p, int function, const std::string& name);

Instruction getBlockInstruction();
Instruction getLoopsInstruction();
Instruction getChildBlocksInstruction();
Instruction getProducersInstruction();
Instruction getConsumersInstruction();
Instruction getOutputBlocksInstruction();
Instruction workOnInstruction();
Instruction splitInstruction();
Instruction fuseInstruction();
Instruction reorderInstruction();
Instruction addUnitLoopInstruction();
Instruction parallelInstruction();
Instruction vectorizeInstruction();
Instruction unrollInstruction();
Instruction bindInstruction();
Instruction annotateInstruction();
Instruction unannotateInstruction();
Instruction decomposeReductionInstruction();
Instruction rfactorInstruction();
Instruction blockizeInstruction();
Instruction tensorizeInstruction();
Instruction cacheReadInstruction();
Instruction cacheWriteInstruction();
Instruction computeAtInstruction();
Instruction reverseComputeAtInstruction();
Instruction computeInlineInstruction();
Instruction reverseComputeInlineInstruction();
Instruction setScopeInstruction();
Instruction storageAlignInstruction();
Instruction transformLayoutInstruction();
Instruction transformBlockLayoutInstruction();
Instruction setAxisSeparatorInstruction();
Instruction reindexInstruction();
Instruction reindexCacheReadInstruction();
Instruction reindexCacheWriteInstruction();
Instruction padEinsumInstruction();
Instruction decomposePaddingInstruction();
Instruction samplePerfectTileInstruction();
Instruction samplePartitionedTileInstruction();
Instruction sampleCategoricalInstruction();
Instruction sampleComputeLocationInstruction();
Instruction seedInstruction();
Instruction forkSeedInstruction();
Instruction enterPostprocInstruction();

}  // namespace loom::schedule
