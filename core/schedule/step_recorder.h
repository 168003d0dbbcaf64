// Step lines, such as `i, j = sch.split(k, [None, 16])`, that are written while they are applied.
#pragma once
#include <map>

#include "core/schedule/instruction.h"

namespace loom::schedule {

// Return a loop, or a block, as an argument of a primitive.
inline Value loopValue(Id loop) { return Value{Handle(LoopRef{loop})}; }
inline Value blockValue(Id block) { return Value{Handle(BlockRef{block})}; }

// A step recorder applies steps to a state, the program after some steps, one after another, and keeps them as lines of
// text that lead from the first state to the last one.
class StepRecorder {
 public:
  StepRecorder(State first, const Environment& environment) : state_(std::move(first)), environment_(&environment) {}

  const State& state() const { return state_; }
  const std::string& text() const { return text_; }

  // Writes a line with the call of the primitive named `row`, with a value for each of its parameters, and applies the
  // line. Before it come lines with get_loops for loops among the values that have no name yet. The left side of the
  // line is the text `targets`, and after it a name for each entry of `results`, which is made unique if it is taken;
  // if both are empty, the line has no left side. Returns the primitive's results. Returns nothing, and changes neither
  // state nor text, if there is no such primitive, if the step is refused, if after it a block uses a variable that no
  // loop around it declares (takesMeaning, warnings.h), or if a loop or block can't be named.
  std::optional<Handles> apply(std::string_view row, const std::vector<Value>& values,
                               const std::vector<std::string>& results = {}, const std::string& targets = "");

 private:
  bool append(const std::string& line, Handles* outputs);
  Result<std::string> nameOf(Id id);
  std::optional<std::string> blockText(Id block) const;
  bool nameLoops(Id loop);
  std::string freeName(const std::string& wanted, Id id) const;

  State state_;
  const Environment* environment_;
  std::string text_;
  std::map<Id, std::string> names_;
  std::uint32_t step_ = 0xF0000000;  // uids no history gives: these states are thrown away
};

}  // namespace loom::schedule
