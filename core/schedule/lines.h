// Step lines that are written as they are applied.
#pragma once
#include <map>

#include "core/schedule/instruction.h"

namespace loom::schedule {

inline Value loopValue(Id loop) { return Value{Handle(LoopRef{loop})}; }
inline Value blockValue(Id block) { return Value{Handle(BlockRef{block})}; }

// A state and the lines that led to it from the first one.
class Lines {
 public:
  Lines(State first, const Environment& environment) : state_(std::move(first)), environment_(&environment) {}

  const State& state() const { return state_; }
  const std::string& text() const { return text_; }

  // Writes the call and applies what is written. Values are those of the row's parameters, all of them. The results
  // get names of their own (`results`: a name for each, of which free ones are made), or stand left of the line as
  // `targets` has it. Nothing when it is refused, or when a loop or block can't be named; then all stays as it was.
  std::optional<Handles> take(std::string_view row, const std::vector<Value>& values,
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
