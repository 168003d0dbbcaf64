#include "core/schedule/joint_refusal.h"

#include <fmt/format.h>

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
  std::map<std::string, std::size_t> known;  // of `ways`, by how the intrinsic differs
  for (const Error& refusal : refusals) {
    std::string key = refusal.message;
    if (auto name = refusal.numbers.find("intrinsic"); name != refusal.numbers.end()) {
      if (const std::size_t at = key.find(name->second); at != std::string::npos) key.erase(at, name->second.size());
    }
    const auto [way, isNew] = known.emplace(std::move(key), ways.size());
    if (isNew) {
      ways.push_back({&refusal});
    } else {
      ++ways[way->second].others;
    }
  }
  Error joint = refusals.front();
  const auto name = joint.numbers.find("intrinsic");
  if (name == joint.numbers.end()) return joint;
  joint.message.clear();
  for (std::size_t i = 0; i < std::min(ways.size(), kMostWays); ++i) {
    const auto& n = ways[i].first->numbers;
    if (i > 0) joint.message += '\n';
    if (ways[i].others == 0 || n.count("intrinsic") == 0) {
      joint.message += ways[i].first->message;
    } else {
      joint.message += fmt::format("The block does not compute what {} and {} more do: {} is {}, not {}",
                                   n.at("intrinsic"), ways[i].others, n.at("what"), n.at("found"), n.at("wanted"));
    }
  }
  if (ways.size() > kMostWays) joint.message += fmt::format("\nIn {} more ways others differ", ways.size() - kMostWays);
  return joint;
}

}  // namespace loom::schedule
