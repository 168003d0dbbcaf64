// A kernel as a worker gets it to be measured.
#pragma once
#include <string>

#include "core/document/kernel.h"
#include "core/gpu/measure.h"

namespace loom::document {

// Returns what the CPU device runs: the function as a text.
gpu::Candidate executedCandidate(const std::string& label, const KernelText& kernel);
// Returns what a GPU runs: the compiled kernel.
gpu::Candidate compiledCandidate(const std::string& label, const KernelText& kernel, std::vector<char> cubin);

}  // namespace loom::document
