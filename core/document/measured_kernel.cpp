#include "core/document/measured_kernel.h"

#include "core/script/printer.h"

namespace loom::document {

gpu::Candidate executedCandidate(const std::string& label, const KernelText& kernel) {
  return {label,
          {},
          kernel.source.launches,
          kernel.source.buffers,
          script::print(ir::Module{{kernel.symbolic}, {}}).text,
          kernel.size.numbers};
}

gpu::Candidate compiledCandidate(const std::string& label, const KernelText& kernel, std::vector<char> cubin) {
  return {label, std::move(cubin), kernel.source.launches, kernel.source.buffers, {}, {}};
}

}  // namespace loom::document
