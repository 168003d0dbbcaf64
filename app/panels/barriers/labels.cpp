#include "app/panels/barriers/labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/notation/quantity_text.h"
#include "app/panels/barriers/words.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/widgets/role_text.h"

namespace loom::panels {

namespace words = text::barriers;
using device::Token;
using session::AwaitedMbarrier;
using session::BarrierReason;
using session::Wait;
using window::Look;

namespace {

std::string reasonText(const Look& look, const BarrierReason& reason) {
  const text::Text& phrase = reason.kind == BarrierReason::Kind::kReadAfterWrite   ? words::kReadAfterWrite
                             : reason.kind == BarrierReason::Kind::kWriteAfterRead ? words::kWriteAfterRead
                                                                                   : words::kWriteAfterWrite;
  const auto names = [&](const std::vector<std::string>& blocks) {
    return blocks.empty() ? std::string(look.say(words::kUnnamed)) : fmt::format("{}", fmt::join(blocks, ", "));
  };
  return say(look, phrase, reason.buffer, names(reason.before), names(reason.after));
}

std::string buffersText(const Look& look, const Wait& wait) {
  return wait.buffers.empty() ? std::string(look.say(words::kSharedMemory))
                              : fmt::format("{}", fmt::join(wait.buffers, ", "));
}

// Of what is counted in groups, how many of them.
std::string groupsText(const Look& look, const std::string& done, int left) {
  if (left == 0) return say(look, words::kAllGroups, done);
  return left == 1 ? say(look, words::kButLatest, done) : say(look, words::kButLatestOf, done, left);
}

std::string phaseText(const Look& look, const Wait& wait) {
  const AwaitedMbarrier& m = *wait.mbarrier;
  std::string text = m.bytes > 0 ? say(look, words::kFull, m.name, bytesText(double(m.bytes)), buffersText(look, wait))
                     : m.ofCluster    ? say(look, words::kFreeOfCluster, m.name, m.arrivals)
                     : m.arrivals > 1 ? say(look, words::kFree, m.name, m.arrivals)
                                      : say(look, words::kFreeByOne, m.name);
  text = say(look, m.namesPhase ? words::kNamedPhase : words::kNextPhase, text);
  return m.isOpen ? say(look, words::kOpen, text) : text;
}

std::string awaitedText(const Look& look, const Wait& wait) {
  switch (wait.token) {
    case Token::BlockBarrier: return look.say(wait.makesMbarriers ? words::kMbarriersMade : words::kNoReason);
    case Token::AsyncCopies: return groupsText(look, say(look, words::kCopies, buffersText(look, wait)), wait.left);
    case Token::Products: return groupsText(look, look.say(words::kProducts), wait.left);
    case Token::Transfers: return phaseText(look, wait);
    case Token::BulkStores: return groupsText(look, say(look, words::kStores, buffersText(look, wait)), wait.left);
    case Token::WarpBarrier: return look.say(words::kLanes);
    case Token::ClusterBarrier: return look.say(words::kCluster);
    case Token::ClusterExchange: return look.say(words::kClusterSees);
  }
  return {};
}

}  // namespace

std::string waitingText(const Look& look, const Wait& wait) {
  if (wait.byOneThread)
    return wait.isOfAllWarps ? look.say(words::kOneThread)
                             : say(look, words::kOneThreadOf, warpsText(look, wait.warps));
  const device::Group group = device::rowOf(wait.token).group;
  if (group == device::Group::Cluster) return look.say(words::kWholeCluster);
  if (!wait.isOfAllWarps) return warpsText(look, wait.warps);
  switch (group) {
    case device::Group::Warp: return look.say(words::kEachWarp);
    case device::Group::Warpgroup: return look.say(words::kEachWarpgroup);
    case device::Group::Block: return look.say(words::kWholeBlock);
    default: return look.say(words::kEachThread);
  }
}

std::string timesText(const Look& look, const Wait& wait) {
  if (wait.varies) return look.say(words::kVaries);
  const std::string times = notation::countText(wait.perBlock);
  return wait.atMost ? say(look, words::kAtMost, times) : times;
}

std::vector<std::string> awaitedTexts(const Look& look, const Wait& wait) {
  if (wait.reasons.empty()) return {awaitedText(look, wait)};
  std::vector<std::string> texts;
  for (const BarrierReason& reason : wait.reasons) texts.push_back(reasonText(look, reason));
  return texts;
}

}  // namespace loom::panels
