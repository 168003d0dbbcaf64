// What of a script makes no step, collected into sentences. Private to the room.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/ir/message.h"

namespace loom::notebook {

// Collects the lines of a script that were passed over, by reason.
class PassedOver {
 public:
  // Adds the lines from `first` to `last` for a reason: "numpy", "printing", "tvm.build".
  void add(const Message& why, int first, int last);
  // Returns sentences on what was skipped: "passed over, since it makes no step: printing (lines 20, 33–35), numpy
  // (5–9)"; none if nothing was.
  std::vector<Message> sentences() const;

 private:
  std::vector<Message> order_;
  std::map<std::string, std::set<int>> lines_;  // by the reason's English
};

}  // namespace loom::notebook
