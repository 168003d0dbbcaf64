#include "core/schedule/instructions.h"

namespace loom::schedule {

const std::vector<Instruction>& instructions() {
  static const std::vector<Instruction> kRows = {
      getBlockInstruction(),
      getLoopsInstruction(),
      getChildBlocksInstruction(),
      getProducersInstruction(),
      getConsumersInstruction(),
      getOutputBlocksInstruction(),
      workOnInstruction(),
      splitInstruction(),
      fuseInstruction(),
      reorderInstruction(),
      addUnitLoopInstruction(),
      parallelInstruction(),
      vectorizeInstruction(),
      unrollInstruction(),
      bindInstruction(),
      annotateInstruction(),
      unannotateInstruction(),
      decomposeReductionInstruction(),
      rfactorInstruction(),
      blockizeInstruction(),
      tensorizeInstruction(),
      transformBlockLayoutInstruction(),
      padEinsumInstruction(),
      decomposePaddingInstruction(),
      cacheReadInstruction(),
      cacheWriteInstruction(),
      computeAtInstruction(),
      reverseComputeAtInstruction(),
      computeInlineInstruction(),
      reverseComputeInlineInstruction(),
      setScopeInstruction(),
      storageAlignInstruction(),
      transformLayoutInstruction(),
      reindexInstruction(),
      reindexCacheReadInstruction(),
      reindexCacheWriteInstruction(),
      setAxisSeparatorInstruction(),
      samplePerfectTileInstruction(),
      samplePartitionedTileInstruction(),
      sampleCategoricalInstruction(),
      sampleComputeLocationInstruction(),
      seedInstruction(),
      forkSeedInstruction(),
      enterPostprocInstruction(),
  };
  return kRows;
}

const Instruction* findInstruction(std::string_view name) {
  for (const auto& row : instructions()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace loom::schedule
