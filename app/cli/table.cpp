#include "app/cli/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/notation/quantity_text.h"
#include "core/document/chapter_order.h"
#include "core/document/time_rows.h"
#include "core/ir/with_noun.h"
#include "core/model/duration_text.h"

namespace loom::cli {

std::string padded(const std::string& text, std::size_t width, bool right) {
  std::size_t seen = 0;
  for (unsigned char c : text) seen += (c & 0xc0) != 0x80;
  std::string blank(width > seen ? width - seen : 0, ' ');
  return right ? blank + text : text + blank;
}

namespace {

// What stands where a time would: a kernel that ran into its deadline is at least that slow.
std::string timeText(const StateLine& l) {
  if (const gpu::Outcome* o = l.timed.measured()) return model::durationText(o->timing.median);
  bool late = l.timed.result && l.timed.result->outcome.status == gpu::Outcome::Status::Deadline;
  return late ? "too long" : "";
}

std::string statusText(const StateLine& l) {
  if (l.kernel.problem) return l.kernel.problem->code == "NotAKernel" ? "no kernel" : l.kernel.problem->code;
  if (l.compileProblem) return l.compileProblem->code;
  if (l.timed.result) {
    const auto& o = l.timed.result->outcome;
    std::string origin = gpu::originName(l.timed.result->origin);
    if (o.status == gpu::Outcome::Status::Measured) {
      return o.error >= 0 ? fmt::format("{}, within {:.1e}", origin, o.error) : origin;
    }
    return o.status == gpu::Outcome::Status::Deadline ? origin + ", past the deadline" : gpu::statusName(o.status);
  }
  bool single =
      l.kernel.program && !l.kernel.program->kernels.empty() && l.kernel.program->kernels.front().singleThread;
  return single ? "one GPU thread" : "not measured";
}

// "14, 21, 28–31": the rows' numbers, neighbours joined.
std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (last > i) text += (last > i + 1 ? "–" : ", ") + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

// Why states are no kernels, each reason once; a chapter that starts again at its own step 1 has its own lines.
void printReasons(const document::Target& target, const std::vector<StateLine>& lines) {
  std::vector<std::pair<std::string, std::vector<int>>> reasons;
  auto flush = [&](const std::string& chapter) {
    for (const auto& [reason, numbers] : reasons) {
      fmt::print("  {}{}{}: {}\n", chapter.empty() ? "" : chapter + ", ", numbers.size() > 1 ? "steps " : "step ",
                 ranges(numbers), reason);
    }
    reasons.clear();
  };
  bool any = std::any_of(lines.begin(), lines.end(), [](const StateLine& l) { return l.kernel.problem.has_value(); });
  if (!any) return;
  fmt::print("No kernel, because:\n");
  std::string chapter;
  bool restarts = false;  // do two chapters number their steps alike?
  for (std::size_t i = 1; i < lines.size(); ++i) {
    restarts =
        restarts || target.history.node(lines[i].row.node).number <= target.history.node(lines[i - 1].row.node).number;
  }
  for (const StateLine& l : lines) {
    if (restarts && !l.row.chapter.empty()) {
      flush(chapter);
      chapter = l.row.chapter;
    }
    if (!l.kernel.problem) continue;
    std::string reason = l.kernel.problem->message.english();
    if (!l.kernel.problem->remedy.empty()) reason += fmt::format(" (first: {})", l.kernel.problem->remedy);
    auto found = std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == reason; });
    if (found == reasons.end()) found = reasons.insert(reasons.end(), {reason, {}});
    found->second.push_back(target.history.node(l.row.node).number);
  }
  flush(chapter);
}

}  // namespace

void printTable(const document::Target& target, const std::vector<StateLine>& lines,
                const std::optional<document::VendorLine>& vendor) {
  std::vector<std::string> states;
  std::size_t widest = 5;
  for (const StateLine& l : lines) {
    states.push_back(statusText(l));
    widest = std::max(widest, states.back().size());
  }
  fmt::print(" step        time   ×first  ×prev  of vendor  regs  shared  {}  line\n", padded("state", widest, false));
  auto time = [&](int node) -> std::optional<document::TimeOn> {
    auto found = std::find_if(lines.begin(), lines.end(), [&](const StateLine& l) { return l.row.node == node; });
    return found == lines.end() ? std::nullopt : document::timeOn(found->timed);
  };
  // The vendor's line is of the product as the last state's kernel multiplies.
  auto alike = [&](int node) {
    auto found = std::find_if(lines.begin(), lines.end(), [&](const StateLine& l) { return l.row.node == node; });
    return found != lines.end() && found->kernel.source.factorDigits == lines.back().kernel.source.factorDigits;
  };
  auto rows = document::timeRows(target.history, time, document::timeOn(vendor), alike,
                                 [&](int node) { return document::comparedEnd(target, node); });
  std::string origin;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const StateLine& l = lines[i];
    const document::Node& n = target.history.node(l.row.node);
    if (!l.row.chapter.empty()) fmt::print("       — {}\n", l.row.chapter);
    std::string speedFirst, speedPrevious, share, registers, shared;
    auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.node == l.row.node; });
    if (row != rows.end()) {
      if (row->overPrevious) {
        speedFirst = notation::ratioText(row->overFirst);
        speedPrevious = notation::ratioText(*row->overPrevious);
      }
      if (row->vendorShare) share = notation::shareText(*row->vendorShare);
    }
    if (l.timed.result && l.timed.result->origin == gpu::ResultOrigin::Recorded) {
      origin = fmt::format("{}, {}", l.timed.device, l.timed.result->date);
    }
    if (l.binary && !l.binary->kernels.empty()) {
      registers = std::to_string(l.binary->kernels.front().registers);
      shared = std::to_string(l.kernel.program->kernels.front().sharedBytes());
    }
    std::string source = n.step() ? n.step()->source : "the unscheduled program";
    fmt::print("{} {} {} {} {} {} {}  {}  {}\n", padded(std::to_string(n.number), 5, true),
               padded(timeText(l), 11, true), padded(speedFirst, 8, true), padded(speedPrevious, 6, true),
               padded(share, 10, true), padded(registers, 5, true), padded(shared, 7, true),
               padded(states[i], widest, false), source);
  }
  if (vendor) {
    const gpu::VendorOutcome& v = vendor->outcome;
    std::string choice = v.algorithms > 0 ? ", best of " + withNoun(v.algorithms, "algorithm") : "";
    fmt::print("{} {} cuBLASLt {}{}: {} {}, {}\n", padded("", 5, true),
               padded(model::durationText(v.timing.median), 11, true), v.version, choice,
               vendor->origin == gpu::ResultOrigin::Recorded ? "recorded on" : "measured on", vendor->device,
               vendor->date);
  }
  if (!origin.empty())
    fmt::print("Recorded times: {}. Speed-ups compare with the first and the closest timed state on the way there.\n",
               origin);
  printReasons(target, lines);
}

}  // namespace loom::cli
