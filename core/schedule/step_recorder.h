// Step lines, such as `i, j = sch.split(k, [None, 16])`, that are written while they are applied.
#pragma once
#include <map>

#include "core/schedule/instruction.h"

namespace loom::schedule {

// Return a loop, or a block, as an argument of a primitive.
inline Value loopValue(Id loop) { return Value{Handle(LoopRef{loop})}; }
inline Value blockValue(Id block) { return Value{Handle(BlockRef{block})}; }

// A step recorder applies steps to a state, the program after some steps, one after another, and keeps them as lines of
// text that lead from the first state to the last one. `environment` must outlive it.
class StepRecorder {
 public:
  StepRecorder(State first, const Environment& environment) : state_(std::move(first)), environment_(&environment) {}

  const State& state() const { return state_; }      // the state after the steps so far
  const std::string& text() const { return text_; }  // the lines so far, without a newline after the last one

  // Writes a line with the call of the primitive with the name `row`, and applies it. `values` has a value for each of
  // the primitive's parameters, also for those with a default; the line leaves out those that equal it. A block among
  // them is written as sch.get_block("C"); no other block may have its name. A loop is written by the name that an
  // earlier line of this recorder gave it; for a loop without one, a line with get_loops comes first, also if the first
  // state has a name for it. The left side of the line is either the text `targets` as it is ("i, j", "b,", "*loops"),
  // or a name for each entry of `results`: the entry, with a number behind it if the name is taken. It must fit the
  // primitive's results, as in any step line. At most one of the two is given; if neither is, the line has no left
  // side. Later lines write loops by the names from `results`, but not by those in `targets`, which must not be names
  // that earlier lines gave to loops. Returns the primitive's results. Returns nothing, and changes neither state nor
  // text, if there is no such primitive, if the step is refused, if after it a block uses a variable that no loop
  // around it declares (takesMeaning, warnings.h), or if a block among the values, or each block inside a loop among
  // them, shares its name with another block.
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
