#include "app/session/results.h"

#include <algorithm>
#include <string>
#include <utility>
#include "core/document/naive_kernel.h"
#include "core/gpu/resize.h"

namespace loom::session {

const document::KnownTime* Results::timed(int node) const {
  const auto found = timed_.find(node);
  return found == timed_.end() ? nullptr : &found->second;
}

const gpu::Outcome* Results::measured(int node) const {
  const document::KnownTime* known = timed(node);
  return known ? known->measured() : nullptr;
}

bool Results::areFromAnotherDevice() const {
  if (device_.status().chosen.empty()) return false;
  if (othersAt_ != jobs_.revision()) {
    othersAt_ = jobs_.revision();
    others_ = std::any_of(timed_.begin(), timed_.end(), [&](const auto& state) {
      const document::KnownTime& t = state.second;
      return t.measured() && t.result->origin != gpu::ResultOrigin::Executed && !device_.comparesWith(t.device);
    });
  }
  return others_;
}

void Results::recognize() {
  vendor_.reset();
  vendorDigits_ = 0;
  const schedule::State& start = documents_.history().node(0).state;
  matmul_.reset();
  hasOtherSizes_ = false;
  if (start.module().functions.empty()) return;
  const ir::Function function = document::functionAt(start, documents_.history().sizes());
  matmul_ = gpu::recognizeMatmul(function);
  hasOtherSizes_ = gpu::resizableProduct(function).has_value();
}

std::optional<gpu::Matmul> Results::multiplied() const {
  std::optional<gpu::Matmul> product = matmul_;
  for (const auto& [node, time] : timed_) {
    if (!product || product->factorDigits != 0) break;
    if (const auto program = programs_.known(node)) product->factorDigits = program->kernel.source.factorDigits;
  }
  return product;
}

void Results::setVendor(const std::optional<document::VendorLine>& line, int digits) {
  if (!line || digits < vendorDigits_) return;  // beside kernels that keep less, the product that does so stays
  vendor_ = line;
  vendorDigits_ = digits;
}

bool Results::multipliesAsVendor(int node) const {
  const auto program = programs_.known(node);
  return program && program->kernel.source.factorDigits == vendorDigits_;
}

namespace {

// Of the states' kernels, what one keeps of its factors that doesn't keep all; 0: they keep all.
int digitsOf(const std::vector<std::pair<int, std::shared_ptr<const Program>>>& states) {
  for (const auto& [node, program] : states)
    if (program->kernel.source.factorDigits != 0) return program->kernel.source.factorDigits;
  return 0;
}

}  // namespace

// In one job for all states that became ready together.
void Results::lookUp(const std::vector<Programs::Fresh>& fresh) {
  if (fresh.empty()) return;
  std::vector<std::pair<int, std::shared_ptr<const Program>>> states;
  for (const Programs::Fresh& one : fresh) states.emplace_back(one.node, programs_.known(one.node));
  const int digits = digitsOf(states);
  jobs_[Queue::kBench].submit([this, states, digits, target = jobs_.target(), product = matmul_]() mutable {
    std::map<int, document::KnownTime> known;
    for (const auto& [node, program] : states) known[node] = tools_.bench->known(program->kernel);
    if (product) product->factorDigits = digits;
    auto line = product ? tools_.bench->knownVendor(*product) : std::nullopt;
    jobs_.finishFor(target, [this, known, line, digits] {
      for (const auto& [node, t] : known) timed_[node] = t;
      setVendor(line, digits);
    });
  });
}

void Results::measure(std::vector<int> nodes, bool again) {
  if (documents_.target() == nullptr || !device_.status().here) return;
  const document::History& history = documents_.history();
  if (nodes.empty()) {
    for (const auto& [node, program] : programs_.all()) nodes.push_back(node);
  }
  std::vector<std::pair<int, std::shared_ptr<const Program>>> states;
  for (int node : nodes) {
    const auto program = programs_.known(node);
    if (!program || program->kernel.problem || history.isHidden(node)) continue;
    const document::KnownTime* known = timed(node);
    const bool here = known && known->result && known->result->origin != gpu::ResultOrigin::Recorded;
    if (!here || again) states.emplace_back(node, program);
  }
  if (states.empty()) return;
  std::vector<int> numbers;  // of the steps: what progress names
  for (const auto& [node, program] : states) numbers.push_back(history.node(node).number);
  ++jobs_.measuring;
  const int digits = digitsOf(states);
  jobs_[Queue::kBench].submit([this, states, numbers, digits, again, target = jobs_.target(), product = matmul_,
                               start = history.node(0).state]() mutable {
    std::vector<document::Bench::Request> requests;
    for (std::size_t i = 0; i < states.size(); ++i) {
      requests.push_back({std::to_string(numbers[i]), &states[i].second->kernel});
    }
    tools_.bench->setAgain(again);
    const auto naive = product ? std::nullopt : document::naiveKernel(start, states.front().second->kernel.size);
    auto measured = tools_.bench->measure(
        requests, product, [this](const Message& what) { jobs_.setProgress(what); }, naive ? &*naive : nullptr);
    if (product) product->factorDigits = digits;
    auto line = product ? tools_.bench->knownVendor(*product) : std::nullopt;
    jobs_.setProgress({});
    jobs_.finish([this, states, target, measured, line, digits] {
      --jobs_.measuring;
      if (jobs_.target() != target) return;
      setVendor(line, digits);
      for (std::size_t i = 0; i < states.size(); ++i) {
        if (measured) {
          timed_[states[i].first] = (*measured)[i];
        } else if (!timed_[states[i].first].result) {
          timed_[states[i].first].problem = measured.error();
        }
      }
    });
  });
}

}  // namespace loom::session
