#include "core/tune/split_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/ir/build.h"
#include "core/script/step_line.h"

namespace loom::tune {

namespace {

// A line of the past; of a split with plain factors, where its list stands.
struct PastLine {
  int node = 0;
  std::string source;
  script::StepCall call;
  std::vector<std::int64_t> factors;  // 0: the open one; empty: no such split
  std::size_t from = 0, to = 0;       // of the list in `source`, brackets included
};

// The last list of numbers in the line: a loop that is an element of another list stands before it.
void findFactors(PastLine& line) {
  if (line.call.primitive() != "split") return;
  const std::size_t to = line.source.rfind(']'), from = line.source.rfind('[');
  if (to == std::string::npos || from == std::string::npos || from > to) return;
  std::vector<std::int64_t> factors = factorsOf(line.source.substr(from, to + 1 - from));
  if (factors.size() < 2) return;
  line.factors = std::move(factors);
  line.from = from;
  line.to = to + 1;
}

std::string with(const PastLine& line, const std::vector<std::int64_t>& factors) {
  return line.source.substr(0, line.from) + factorsText(factors) + line.source.substr(line.to);
}

bool bindsAlike(const schedule::State& state) {
  std::map<std::string, std::int64_t> lengths;
  for (const auto& node : state.tree().nodes()) {
    if (node.isBlock) continue;
    const ir::ForNode* loop = ir::asFor(node.stmt);
    if (loop->forKind != ir::ForKind::ThreadBinding || loop->thread.rfind("threadIdx", 0) != 0) continue;
    const std::int64_t extent = ir::constantOr(loop->extent, -1);
    if (lengths.emplace(loop->thread, extent).first->second != extent) return false;
  }
  return true;
}

class Edits {
 public:
  Edits(const document::History& history, int node, const schedule::Environment& environment,
        const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop)
      : history_(history), node_(node), environment_(environment), threads_(threads), stop_(stop) {
    for (const int index : history.path(node)) {
      const document::Node& of = history.node(index);
      for (const auto* lines : {&of.lines, &of.trailing})
        for (const document::Line& line : *lines) take(index, line.source);
    }
  }

  std::vector<CandidateStep> all() {
    std::set<std::vector<std::int64_t>> together;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const PastLine& line = lines_[i];
      if (line.factors.empty()) continue;
      const auto alike = std::count_if(lines_.begin(), lines_.end(),
                                       [&](const PastLine& other) { return other.factors == line.factors; });
      const bool first = together.insert(line.factors).second;
      for (const auto& factors : factorsNearby(line.factors)) {
        replaceOne(i, factors);
        if (first && alike > 1) replaceAll(line.factors, factors);
      }
    }
    return std::move(tried_);
  }

 private:
  void take(int node, const std::string& source) {
    auto calls = script::parseSchedule(source, "");
    if (!calls || calls->size() != 1) return;
    PastLine line{node, source, std::move(calls->front()), {}, 0, 0};
    findFactors(line);
    lines_.push_back(std::move(line));
  }

  void replaceOne(std::size_t index, const std::vector<std::int64_t>& factors) { withThreads({{index, factors}}); }
  void replaceAll(const std::vector<std::int64_t>& old, const std::vector<std::int64_t>& factors) {
    std::map<std::size_t, std::vector<std::int64_t>> changed;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].factors == old) changed[i] = factors;
    withThreads(changed);
  }

  // As many threads as before, and, of one axis, a half, a quarter, twice or four times as many.
  void withThreads(const std::map<std::size_t, std::vector<std::int64_t>>& changed) {
    attempt(changed);
    for (const std::int64_t threads : threads_) {
      if (threads < 2) continue;
      for (const auto& [times, over] : {std::pair{1, 2}, {1, 4}, {2, 1}, {4, 1}}) {
        if (threads % over != 0) continue;
        auto more = changed;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
          if (changed.contains(i)) continue;
          std::vector<std::int64_t> factors = lines_[i].factors;
          std::replace(factors.begin(), factors.end(), threads, threads * times / over);
          if (factors != lines_[i].factors) more[i] = factors;
        }
        if (more.size() > changed.size()) attempt(more);
      }
    }
  }

  void attempt(const std::map<std::size_t, std::vector<std::int64_t>>& changed) {
    if (stop_) return;
    const int edited = lines_[changed.begin()->first].node;
    CandidateStep made{history_.node(edited).parent, edited, "", "",   {"split"}, {},
                       history_.node(node_).state,   1,      1,  false};
    schedule::State state = history_.node(std::max(0, made.at)).state;
    if (made.at < 0) return;
    std::uint32_t uid = schedule::kTrialStep - 100000;  // uids that no history gives
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].node < edited) continue;
      const auto found = changed.find(i);
      const std::string text = found == changed.end() ? lines_[i].source : with(lines_[i], found->second);
      std::optional<script::StepCall> other;
      if (found != changed.end()) {
        auto calls = script::parseSchedule(text, "");
        if (!calls || calls->size() != 1) return;
        other = std::move(calls->front());
        made.step += (made.step.empty() ? "" : "\n") + text;
      }
      auto next = schedule::apply(state, uid++, other ? *other : lines_[i].call, environment_);
      if (!next) return;
      state = std::move(next->next);
      made.lines += (made.lines.empty() ? "" : "\n") + text;
    }
    if (!bindsAlike(state)) return;
    made.state = std::move(state);
    tried_.push_back(std::move(made));
  }

  const document::History& history_;
  const int node_;
  const schedule::Environment& environment_;
  const std::array<std::int64_t, 3> threads_;
  const std::atomic<bool>& stop_;
  std::vector<PastLine> lines_;
  std::vector<CandidateStep> tried_;
};

}  // namespace

std::vector<std::int64_t> factorsOf(const std::string& text) {
  const auto calls = script::parseSchedule("x = " + text, "");
  if (!calls || calls->size() != 1 || !calls->front().value.is(script::StepValue::Kind::List)) return {};
  std::vector<std::int64_t> factors;
  for (const script::StepValue& item : calls->front().value.items) {
    const bool open = item.is(script::StepValue::Kind::None);
    if (!open && (!item.is(script::StepValue::Kind::Int) || item.integer < 1)) return {};
    factors.push_back(open ? 0 : item.integer);
  }
  return factors;
}

std::string factorsText(const std::vector<std::int64_t>& factors) {
  std::string text;
  for (const std::int64_t f : factors) text += (text.empty() ? "" : ", ") + (f == 0 ? "None" : std::to_string(f));
  return "[" + text + "]";
}

std::vector<std::vector<std::int64_t>> factorsNearby(const std::vector<std::int64_t>& factors) {
  std::vector<std::vector<std::int64_t>> nearby;
  for (std::size_t from = 0; from < factors.size(); ++from) {
    for (std::size_t to = 0; to < factors.size(); ++to) {
      if (from == to || (factors[from] != 0 && factors[from] % 2 != 0)) continue;
      std::vector<std::int64_t> other = factors;
      other[from] /= 2;
      other[to] *= 2;
      if (other != factors) nearby.push_back(std::move(other));
    }
  }
  std::sort(nearby.begin(), nearby.end());
  nearby.erase(std::unique(nearby.begin(), nearby.end()), nearby.end());
  return nearby;
}

std::vector<CandidateStep> editedSplits(const document::History& history, int node,
                                        const schedule::Environment& environment,
                                        const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop) {
  return Edits(history, node, environment, threads, stop).all();
}

}  // namespace loom::tune
