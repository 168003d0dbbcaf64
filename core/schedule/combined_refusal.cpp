#include "core/schedule/combined_refusal.h"

#include <algorithm>
#include <map>

namespace loom::schedule {

Error combinedRefusal(const std::vector<Error>& refusals) {
  constexpr std::size_t kMostWays = 4;
  struct Way {
    const Error* first;
    int others = 0;
  };
  std::vector<Way> ways;
  // Of `ways`, by how the intrinsic differs: what is said, without its name.
  std::map<std::pair<std::string, std::map<std::string, std::string>>, std::size_t> known;
  for (const Error& refusal : refusals) {
    auto numbers = refusal.numbers;
    const bool ofIntrinsic = numbers.erase("intrinsic") > 0;
    std::string said = ofIntrinsic ? std::string(refusal.message.id()) : refusal.message.english();
    const auto [way, isNew] = known.emplace(std::pair(std::move(said), std::move(numbers)), ways.size());
    if (isNew) {
      ways.push_back({&refusal});
    } else {
      ++ways[way->second].others;
    }
  }
  Error joint = refusals.front();
  const auto name = joint.numbers.find("intrinsic");
  if (name == joint.numbers.end()) return joint;
  joint.message = {};
  for (std::size_t i = 0; i < std::min(ways.size(), kMostWays); ++i) {
    const auto& n = ways[i].first->numbers;
    Message way = ways[i].first->message;
    if (ways[i].others > 0 && n.count("intrinsic") != 0) {
      way = message("The block does not compute what {} and {} more do: {} is {}, not {}", n.at("intrinsic"),
                    ways[i].others, n.at("what"), n.at("found"), n.at("wanted"));
    }
    joint.message = below(std::move(joint.message), std::move(way));
  }
  if (ways.size() > kMostWays) {
    joint.message = below(std::move(joint.message), message("In {} more ways others differ", ways.size() - kMostWays));
  }
  return joint;
}

}  // namespace loom::schedule
