// Makes the candidates (programs of one or more kernels, to be measured) that are sent to the worker process. They are
// made from the kernel of a state, that is, of a program after some schedule steps.
#pragma once
#include <string>

#include "core/document/kernel.h"
#include "core/gpu/measure.h"

namespace loom::document {

// Returns a candidate for the CPU device, which executes the function from its TVMScript text, with the values of
// `kernel.size` for its symbols. `label` names it in messages. In both functions the state must be a kernel
// (KernelText::problem is nothing), and the candidate copies what it needs of `kernel`.
gpu::Candidate executedCandidate(const std::string& label, const KernelText& kernel);
// Returns a candidate for a GPU: the kernel with its machine code `cubin`, compiled by the caller from
// `kernel.source.text`. `label` names it in messages.
gpu::Candidate compiledCandidate(const std::string& label, const KernelText& kernel, std::vector<char> cubin);

}  // namespace loom::document
