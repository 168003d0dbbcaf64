// Collects the lines of a script that make no schedule step, and describes them in sentences. Internal to
// core/notebook.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/ir/message.h"

namespace loom::notebook {

// The lines of a script that were skipped, by the reason for it.
class PassedOver {
 public:
  // Adds the lines from `first` to `last`, both included and counted from 1, with the reason for skipping them:
  // "numpy", "printing", "tvm.build".
  void add(const Message& why, int first, int last);
  // Returns a list of one sentence on what was skipped, or an empty list if nothing was: "passed over, since it makes
  // no step: printing (lines 20, 33–35); numpy (lines 5–9)". The reasons are in the order of their first `add`; each
  // has at most six ranges of lines and the number of further lines.
  std::vector<Message> sentences() const;

 private:
  std::vector<Message> order_;                  // the reasons, in the order in which they first came
  std::map<std::string, std::set<int>> lines_;  // by the reason's English
};

}  // namespace loom::notebook
