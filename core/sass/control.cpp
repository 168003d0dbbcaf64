#include "core/sass/control.h"

#include <fmt/format.h>

namespace loom::sass {

bool hasIssueControl(int architecture) { return architecture >= 70 && architecture <= 121; }

IssueControl issueControlOf(std::uint64_t high) {
  auto bits = [&](int from, int count) { return unsigned(high >> (from - 64)) & ((1U << count) - 1); };
  auto barrier = [&](int from) { return int(bits(from, 3)) < kScoreboards ? int(bits(from, 3)) : -1; };
  IssueControl c;
  c.stall = int(bits(105, 4));
  c.yield = bits(109, 1) == 0;
  c.writeBarrier = barrier(110);
  c.readBarrier = barrier(113);
  c.waits = std::uint8_t(bits(116, kScoreboards));
  c.reuse = std::uint8_t(bits(122, 4));
  return c;
}

std::string notationOf(const IssueControl& c) {
  auto barrier = [](int b) { return b < 0 ? std::string("-") : std::to_string(b); };
  return fmt::format("{}:{}:{}:{}:{:02}", c.waits == 0 ? "--" : fmt::format("{:02x}", c.waits), barrier(c.readBarrier),
                     barrier(c.writeBarrier), c.yield ? 'Y' : '-', c.stall);
}

}  // namespace loom::sass
