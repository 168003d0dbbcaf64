#include "core/gpu/kept_reference.h"

#include <nlohmann/json.hpp>

#include "core/gpu/protocol.h"

namespace loom::gpu {

std::int64_t KeptReference::bytes() const {
  std::size_t all = (expected.size() + size.size()) * sizeof(double);
  for (const auto& input : inputs) all += input.size();
  for (const auto& [parameter, values] : written) all += values.size() * sizeof(double);
  return std::int64_t(all);
}

std::string referenceKey(const Job& job) {
  Job same;
  same.matmul = job.matmul;
  same.reference = job.reference;
  same.naive = job.naive;
  same.method = job.method;
  Candidate parameters;
  if (!job.candidates.empty())
    for (codegen::GlobalBuffer b : job.candidates.front().buffers) {
      if (b.temporary) continue;
      b.read = b.written = false;  // that's the schedule's
      parameters.buffers.push_back(std::move(b));
    }
  same.candidates.push_back(std::move(parameters));
  std::string kernels;
  const std::string text = toJson(same, kernels).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return text + kernels;
}

}  // namespace loom::gpu
