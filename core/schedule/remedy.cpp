#include "core/schedule/remedy.h"

#include <algorithm>

#include "core/schedule/step_recorder.h"
#include "core/schedule/tiling.h"
#include "core/script/step_line.h"

namespace loom::schedule {
namespace {

// What was refused, and the ways that are tried.
class Remedies {
 public:
  Remedies(const State& state, const Instruction& row, const Arguments& arguments, const Environment& environment,
           std::string targets)
      : state_(state),
        tree_(state.tree()),
        row_(row),
        values_(arguments.values()),
        environment_(environment),
        targets_(std::move(targets)) {
    collect(List(values_.begin(), values_.end()));
    blocks_.insert(blocks_.end(), arguments.namedBlocks().begin(), arguments.namedBlocks().end());
  }

  std::string find() {
    if (row_.name == "fuse") adjacent();
    if (row_.name == "split") openFactor();
    if (row_.name == "decompose_reduction") otherLoop();
    if (row_.name == "transform_layout") padded();
    if (row_.name != "decompose_reduction") decomposed();
    if (row_.name == "tensorize") tile();
    if (row_.name != "reorder" && row_.name != "fuse" && row_.name != "split") exchanged();
    return found_;
  }

 private:
  void collect(const List& values) {
    for (const Value& value : values) {
      if (auto* list = value.as<List>()) collect(*list);
      auto* handle = value.as<Handle>();
      if (!handle) continue;
      if (auto* loop = std::get_if<LoopRef>(handle); loop && tree_.isLoop(loop->id)) loops_.push_back(loop->id);
      if (auto* block = std::get_if<BlockRef>(handle); block && tree_.isBlock(block->id)) blocks_.push_back(block->id);
    }
  }

  bool done() const { return !found_.empty(); }
  // Takes what was asked after the lines.
  void finish(StepRecorder& lines, const std::vector<Value>& values) {
    if (!done() && lines.apply(row_.name, values, {}, targets_)) found_ = lines.text();
  }
  void finish(StepRecorder& lines) { finish(lines, values_); }
  StepRecorder begin() const { return {state_, environment_}; }

  // The loops of one chain, outermost first.
  std::vector<Id> chainAround(Id loop) const {
    for (Id block : tree_.childBlocks(loop)) return tree_.loopsAbove(block);
    return {};
  }

  // fuse(i, k) with j between them: reorder(i, k, j), else reorder(j, i, k).
  void adjacent() {
    if (loops_.empty()) return;
    std::vector<Id> chain = chainAround(
        *std::max_element(loops_.begin(), loops_.end(), [&](Id a, Id b) { return tree_.find(a) < tree_.find(b); }));
    auto isFused = [&](Id loop) { return std::find(loops_.begin(), loops_.end(), loop) != loops_.end(); };
    auto first = std::find_if(chain.begin(), chain.end(), isFused);
    auto last = std::find_if(chain.rbegin(), chain.rend(), isFused).base();
    if (first >= last) return;
    List fused, between;
    for (Id loop : loops_) fused.push_back(loopValue(loop));
    std::for_each(first, last, [&](Id loop) {
      if (!isFused(loop)) between.push_back(loopValue(loop));
    });
    for (bool front : {true, false}) {
      List order = front ? fused : between;
      order.insert(order.end(), front ? between.begin() : fused.begin(), front ? between.end() : fused.end());
      StepRecorder lines = begin();
      if (lines.apply("reorder", {Value{order}})) finish(lines);
    }
  }

  // split(i, [4, 16]) of 1024: [None, 16].
  void openFactor() {
    std::vector<Value> values = values_;
    auto* factors = values[1].as<List>();
    if (!factors) return;
    const List given = *factors;
    for (std::size_t open = 0; open < given.size() && !done(); ++open) {
      List other = given;
      for (Value& factor : other)
        if (factor.isNone()) factor = Value{std::int64_t{1}};  // at most one may be open
      other[open] = Value{};
      values[1] = Value{other};
      StepRecorder lines = begin();
      finish(lines, values);
    }
  }

  // decompose_reduction at a loop under the reduction: at the next one outside it that will do.
  void otherLoop() {
    if (blocks_.empty()) return;
    std::vector<Id> above = tree_.loopsAbove(blocks_.front());
    std::reverse(above.begin(), above.end());
    for (Id loop : above) {
      std::vector<Value> values = values_;
      values[1] = loopValue(loop);
      StepRecorder lines = begin();
      finish(lines, values);
    }
  }

  // A layout with elements that nothing fills: with zeros in them.
  void padded() {
    for (const Value& zero : {Value{std::int64_t{0}}, Value{0.0}}) {
      std::vector<Value> values = values_;
      values[3] = zero;
      StepRecorder lines = begin();
      finish(lines, values);
    }
  }

  std::vector<Id> blocksConcerned() const {
    std::vector<Id> blocks = blocks_;
    for (Id loop : loops_)
      for (Id block : tree_.childBlocks(loop)) blocks.push_back(block);
    return blocks;
  }

  // A block that also sets its start value: without it.
  void decomposed() {
    for (Id block : blocksConcerned()) {
      if (!tree_.block(block)->init) continue;
      for (Id loop : tree_.loopsAbove(block)) {
        if (done()) return;
        StepRecorder lines = begin();
        if (lines.apply("decompose_reduction", {blockValue(block), loopValue(loop)})) finish(lines);
      }
    }
  }

  // A tile of the intrinsic's extents, cut out of the loops, of buffers in its scopes.
  void tile() {
    const auto* name = values_[1].as<std::string>();
    const auto blocks = blocksConcerned();
    if (done() || !name || blocks.empty()) return;
    StepRecorder lines = begin();
    const auto target = tileForIntrinsic(lines, blocks.front(), *name, environment_);
    if (!target) return;
    std::vector<Value> values = values_;
    values[0] = loopValue(*target);
    finish(lines, values);
  }

  // Two loops of a chain change places.
  void exchanged() {
    std::vector<Id> chain;
    for (Id loop : loops_)
      if (chain.empty()) chain = chainAround(loop);
    for (Id block : blocks_)
      if (chain.empty()) chain = tree_.loopsAbove(block);
    for (std::size_t a = 0; a < chain.size(); ++a)
      for (std::size_t b = a + 1; b < chain.size() && !done(); ++b) {
        StepRecorder lines = begin();
        if (lines.apply("reorder", {Value{List{loopValue(chain[b]), loopValue(chain[a])}}})) finish(lines);
      }
  }

  const State& state_;
  const Tree& tree_;
  const Instruction& row_;
  const std::vector<Value>& values_;
  const Environment& environment_;
  std::string targets_, found_;
  std::vector<Id> loops_, blocks_;  // among the arguments
};

}  // namespace

std::string suggestedFix(const State& state, const Instruction& row, const Arguments& arguments,
                         const Environment& environment) {
  return Remedies(state, row, arguments, environment, "").find();
}

std::string suggestedFix(const State& state, const script::StepCall& line, const Environment& environment) {
  const auto refused = refusedCall(state, line, environment);
  if (!refused) return "";
  std::string targets;
  const bool whole = refused->isOutermost && line.value.is(script::StepValue::Kind::Call);
  for (const script::StepTarget& target : line.targets) {
    if (whole) targets += (targets.empty() ? "" : ", ") + std::string(target.starred ? "*" : "") + target.name;
  }
  if (whole && line.unpack && line.targets.size() == 1) targets += ",";
  return Remedies(refused->state, *refused->row, refused->arguments, environment, targets).find();
}

Error withRemedy(Error error, const State& state, const script::StepCall& line, const Environment& environment) {
  // Step lines read the same in every language.
  if (error.remedy.empty()) error.remedy = verbatim(suggestedFix(state, line, environment));
  return error;
}

}  // namespace loom::schedule
