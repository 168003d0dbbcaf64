#include "core/tune/rules/trials.h"

#include <algorithm>

#include "core/schedule/replay.h"

namespace loom::tune {

namespace {

// How many states are kept that several schedules may begin with.
constexpr std::size_t kMostBegun = 64;

// Where a block's lines begin: up to there other schedules may have the same lines.
constexpr const char* kNextBlock = "\nb = sch.get_block(";

}  // namespace

Result<schedule::State> Trials::stateBy(const std::string& lines) {
  std::vector<std::size_t> ends;  // of lines with which schedules may begin
  for (std::size_t at = lines.find(kNextBlock); at != std::string::npos; at = lines.find(kNextBlock, at + 1))
    ends.push_back(at + 1);
  ends.push_back(lines.size());
  Result<schedule::State> state = begin_;
  std::size_t done = 0;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t n = ends.size(); n-- > 0 && done == 0;) {
      const auto known = begun_.find(lines.substr(0, ends[n]));
      if (known != begun_.end()) state = known->second, done = ends[n];
    }
  }
  for (const std::size_t end : ends) {
    if (end <= done) continue;
    if (!state) return state;
    state = stateByLines(*state, lines.substr(done, end - done), environment_);
    // The line counts from the first of all lines.
    if (!state && state.error().place.line > 0)
      state.error().place.line += int(std::count(lines.begin(), lines.begin() + std::ptrdiff_t(done), '\n'));
    done = end;
    if (end == lines.size()) break;
    const std::lock_guard lock(mutex_);
    if (begun_.size() < kMostBegun) begun_.emplace(lines.substr(0, end), state);
  }
  return state;
}

Result<MadeByLines> Trials::made(const std::string& lines) {
  auto after = stateBy(lines);
  return after ? kernelAt(std::move(*after)) : Failure(after.error());
}

Result<KernelTimes::Time> Trials::predicted(const document::KernelText& kernel) {
  KernelTimes::Time sum;
  for (const device::Kernel& k : kernel.program->kernels) {
    const auto one = times_->of(k, device_);
    if (!one) return one;
    sum.microseconds += one->microseconds;
    sum.withLatency += one->withLatency;
  }
  return sum;
}

}  // namespace loom::tune
