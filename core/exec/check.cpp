#include "core/exec/check.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <numeric>

#include "core/device/precision.h"
#include "core/exec/batch.h"
#include "core/exec/execute.h"
#include "core/exec/sampling.h"
#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/lower/instance.h"
#include "core/lower/lower.h"
#include "core/lower/sequential.h"

namespace loom::exec {
namespace {

// Between the elements of a buffer with strides there are none: the offset itself tells where.
std::vector<std::int64_t> indicesOf(const ir::ElementLayout& layout, std::int64_t offset) {
  return layout.indicesOf(offset).value_or(std::vector<std::int64_t>{offset});
}

bool isCorner(const ir::ElementLayout& layout, std::int64_t offset) {
  const auto indices = layout.indicesOf(offset);
  if (!indices) return true;
  for (std::size_t d = 0; d < indices->size(); ++d) {
    if ((*indices)[d] != 0 && (*indices)[d] != layout.extents[d] - 1) return false;
  }
  return true;
}

// Pseudo-random in [0, 1).
double dice(std::uint64_t seed, std::int64_t n) {
  std::uint64_t h = (seed + std::uint64_t(n) + 1) * 0x9E3779B97F4A7C15ull;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
  return double((h ^ (h >> 31)) >> 11) * 0x1p-53;
}

Result<void> comparable(const ir::Function& original, const ir::Function& scheduled) {
  auto refuse = [](Message message) { return fail("NotComparable", std::move(message)); };
  if (original->params.size() != scheduled->params.size())
    return refuse(message("the number of parameters has changed"));
  for (std::size_t p = 0; p < original->params.size(); ++p) {
    const ir::Buffer &a = original->params[p].buffer, &b = scheduled->params[p].buffer;
    if (!a && !b && original->params[p].var->dtype == scheduled->params[p].var->dtype) continue;
    bool same = a && b && a->dtype == b->dtype && a->shape.size() == b->shape.size();
    for (std::size_t d = 0; same && d < a->shape.size(); ++d) {
      same = ir::constantOr(a->shape[d], -1) == ir::constantOr(b->shape[d], -2);
    }
    if (!same) return refuse(message("parameter {} has another shape or dtype than in the original", p + 1));
    const auto was = ir::elementLayout(*a), is = ir::elementLayout(*b);
    if (!was || !is || was->strides != is->strides || was->start != is->start)
      return refuse(message("the elements of parameter {} lie in other places than in the original", p + 1));
  }
  return {};
}

class Comparison {
 public:
  // `factorDigits` as device::factorDigitsOf returns it.
  Comparison(Reference& reference, const Options& options, int factorDigits, Report& report)
      : reference_(reference), options_(options), factorDigits_(factorDigits), report_(report) {}

  void output(int parameter, const Area& area, std::uint8_t required) {
    const ir::Buffer& b = reference_.function()->params[std::size_t(parameter)].buffer;
    const auto layout = ir::elementLayout(*b);
    if (!layout) return;  // a Reference has none of these
    auto known = [&](std::int64_t e) {
      std::uint8_t state = area.states[e];
      if (!reference_.isKnown(parameter, e)) return false;
      if (!(state & kWritten) || (state & kUnknown)) return false;
      return !area.restricted || (state & required) == required;
    };
    // By row of a batch: how many elements are known. Neighbours are cheap together, and what is left out, is left out
    // by rows, if enough are compared for that.
    std::vector<std::uint8_t> inRow(std::size_t((area.elements + kBatch - 1) / kBatch));
    static constexpr std::array<std::uint8_t, kBatch> kUntouched{};
    for (std::int64_t row = 0; row < area.elements; row += kBatch) {
      const std::int64_t end = std::min<std::int64_t>(row + kBatch, area.elements);
      if (std::memcmp(&area.states[row], kUntouched.data(), std::size_t(end - row)) == 0) continue;
      for (std::int64_t e = row; e < end; ++e) inRow[std::size_t(row / kBatch)] += known(e);
    }
    const double share = shareOf(parameter, inRow);
    const double compared = share * std::accumulate(inRow.begin(), inRow.end(), 0.0);
    const std::int64_t run = share < 1 && compared >= 64 * kBatch ? kBatch : 1;
    for (std::int64_t e = 0; e < area.elements; ++e) {
      if (e % kBatch == 0 && options_.stop.stop_requested()) return;
      // A row of which nothing is known was left out by the sample.
      if (e % kBatch == 0 && area.restricted && inRow[std::size_t(e / kBatch)] == 0) {
        const std::int64_t left = std::min<std::int64_t>(kBatch, area.elements - e);
        report_.total += left;
        e += left - 1;
        continue;
      }
      if (!reference_.isKnown(parameter, e)) {
        ++report_.total;
        metUnknown_ = true;
        continue;
      }
      if (!known(e)) {
        // Without sampling, what isn't written is a fault of the schedule.
        const bool left = area.restricted || (area.states[e] & kWritten);
        if (left || reference_.at(parameter, e)) ++report_.total;
        if (!left && reference_.at(parameter, e)) missing(parameter, *layout, e);
        continue;
      }
      ++report_.total;
      if (share < 1 && dice(options_.seed + std::uint64_t(parameter), e / run) >= share && !isCorner(*layout, e)) {
        continue;
      }
      const double neighbours = inRow[std::size_t(e / kBatch)] * (run == 1 ? share : 1);
      compare(parameter, *layout, e, area.values[e], neighbours >= kTogether);
    }
  }
  // Returns whether there are elements of which the original program itself doesn't say what they are.
  bool metUnknown() const { return metUnknown_; }

 private:
  // From so many elements of a row on, to compute all of it at once takes less time than to compute each.
  static constexpr int kTogether = 8;
  static constexpr std::int64_t kLookedAt = 64;

  // The share of what is known of an output that is compared: what a third of the budget gives.
  double shareOf(int parameter, const std::vector<std::uint8_t>& inRow) const {
    if (options_.compareAtMost > 0) {
      const double known = std::accumulate(inRow.begin(), inRow.end(), 0.0);
      return std::min(1.0, double(options_.compareAtMost) / std::max(1.0, known));
    }
    if (!options_.sample) return 1;
    double rows = 0;  // that are computed whole, or take as long
    for (const std::uint8_t known : inRow) rows += std::min(1.0, double(known) / kTogether);
    // Where nothing comes out equal, the bound of every element is computed (Reference::uncertainty).
    const bool bounds = factorDigits_ > 0 && !reference_.isExact();
    const double each =
        reference_.nanoseconds(parameter) * double(reference_.outputs().size()) * (bounds ? kOfBound : 1);
    const double most = std::max((bounds ? 512.0 : 4096.0) / kBatch, options_.budget * 0.3e9 / (each * kBatch));
    return std::min(1.0, most / std::max(1.0, rows));
  }
  const ir::Buffer& buffer(int parameter) const { return reference_.function()->params[std::size_t(parameter)].buffer; }
  void missing(int parameter, const ir::ElementLayout& layout, std::int64_t e) {
    ++report_.mismatches;
    if (report_.first) return;
    Value expected = *reference_.at(parameter, e);
    const ir::Buffer& b = buffer(parameter);
    report_.first = Mismatch{b->name, indicesOf(layout, e), number(b, expected), 0, false};
  }
  static double number(const ir::Buffer& b, Value v) { return numberOf(v, b->dtype.isFloat()); }

  // Whether two numbers differ by no more than they may: where operations of a term are ordered otherwise by its last
  // digits, else as uncertain.h says. Of exact functions nothing differs unless products drop digits.
  bool isWithin(double expected, double got, int parameter, std::int64_t e) {
    if (reference_.isExact() && factorDigits_ == 0) return false;
    const double off = std::abs(expected - got);
    if (off <= 1e-9 * std::max(std::abs(expected), std::abs(got))) return true;
    // Of what is wrong anyhow not every element is looked at so closely.
    return report_.mismatches < kLookedAt && off <= reference_.uncertainty(parameter, e, factorDigits_);
  }

  // `together`: with the elements beside it.
  void compare(int parameter, const ir::ElementLayout& layout, std::int64_t e, Value got, bool together) {
    const ir::Buffer& b = buffer(parameter);
    auto expected = reference_.at(parameter, e, together);
    ++report_.compared;
    double x = expected ? number(b, *expected) : 0, y = number(b, got);
    const bool equal = x == y || (std::isnan(x) && std::isnan(y)) || (expected && isWithin(x, y, parameter, e));
    // An element that only the schedule writes can't be right.
    if (equal && expected) return;
    ++report_.mismatches;
    if (!report_.first) report_.first = Mismatch{b->name, indicesOf(layout, e), x, y, true};
  }

  static constexpr double kOfBound = 40;  // times as long as the element itself

  Reference& reference_;
  const Options& options_;
  const int factorDigits_;
  Report& report_;
  bool metUnknown_ = false;
};

// Adds findings of a further run: what was found at the same place before stays as it is.
void addNew(std::vector<Finding>& all, std::vector<Finding> more) {
  const std::vector<Finding> before = all;
  for (Finding& f : more) {
    const bool known = std::ranges::any_of(before, [&](const Finding& g) {
      return f.kind == g.kind && f.kernel == g.kernel && f.block == g.block && f.buffer == g.buffer;
    });
    if (!known) all.push_back(std::move(f));
  }
}

}  // namespace

const char* nameOf(Report::Status status) {
  switch (status) {
    case Report::Status::Verified: return "verified";
    case Report::Status::Partly: return "partly";
    case Report::Status::Wrong: return "wrong";
    case Report::Status::Faults: return "faults";
    case Report::Status::NotCompared: return "not_compared";
  }
  return "";
}

namespace {

Message comparedSoFar(const Report& r) {
  switch (r.status) {
    case Report::Status::Verified: return message("verified: {} of {} elements compared", r.compared, r.total);
    case Report::Status::Partly:
      return message("nothing wrong in the part looked at: {} of {} elements compared", r.compared, r.total);
    case Report::Status::Wrong: return message("wrong: {} of {} elements compared", r.compared, r.total);
    case Report::Status::Faults: return message("faults: {} of {} elements compared", r.compared, r.total);
    case Report::Status::NotCompared:
      return r.total == 0 ? message("nothing to compare: the outputs have no elements")
                          : message("not compared: what was run gives none of {} elements", r.total);
  }
  return {};
}

Message listed(const std::vector<Message>& each) {
  Message all;
  for (const Message& one : each) all = all.empty() ? one : message("{}, {}", std::move(all), one);
  return all;
}

}  // namespace

Message describe(const Report& r) {
  Message text = comparedSoFar(r);
  if (r.first) {
    const std::string element = fmt::format("{}", fmt::join(r.first->element, ", "));
    text = r.first->written ? message("{}, {} differ, first {}[{}] = {}, expected {}", std::move(text), r.mismatches,
                                      r.first->buffer, element, r.first->got, r.first->expected)
                            : message("{}, {}[{}] is never written", std::move(text), r.first->buffer, element);
  }
  const auto add = [&](Message more) { text = message("{}; {}", std::move(text), std::move(more)); };
  if (r.inOrder) add(message("run in order on one thread, because it is no kernel yet: {}", r.inOrder->message));
  for (const Message& part : r.left) add(message("ran {}", part));
  if (!r.unknownInputs.empty()) {
    add(
        message("the program itself goes outside by what was drawn for {}, and no bounds of that follow from how it is "
                "used: what depends on it wasn't compared",
                fmt::format("{}", fmt::join(r.unknownInputs, ", "))));
  }
  if (!r.drawn.empty()) add(message("with {}", listed(r.drawn)));
  if (!r.findings.empty()) add(describe(r.findings.front()));
  if (r.findings.size() == 2) add(message("1 more finding"));
  if (r.findings.size() > 2) add(message("{} more findings", r.findings.size() - 1));
  return text;
}

Result<Checker> Checker::create(const ir::Function& original, Options options) {
  auto at = lower::instance(original, options.numbers);
  if (!at) return Failure(at.error());
  auto reference = Reference::create(*at, options.seed);
  if (!reference) return Failure(reference.error());
  return Checker(std::move(*reference), std::move(options));
}

// What only a run of the original shows. Its other faults are met in every state, too; but a state may have written
// something where the original reads what it has never written, so that nobody knows what is right (`metUnknown`).
void Checker::addOriginal(Report& report, bool metUnknown) const {
  using Kind = Finding::Kind;
  for (const Finding& f : reference_.findings()) {
    if ((f.kind == Kind::Uninitialised && metUnknown) || f.kind == Kind::UndeclaredAccess ||
        f.kind == Kind::RaceInBlock || f.kind == Kind::RaceBetweenBlocks || f.kind == Kind::Deadlock) {
      report.findings.push_back(f);
    }
  }
}

Result<void> Checker::forgiveInputs(Report& report) {
  using Kind = Finding::Kind;
  const std::vector<std::string>& unknown = reference_.inputs().unknown;
  auto byInput = [](const Finding& f) {
    return f.kind == Kind::OutOfBounds || f.kind == Kind::DivisionByZero || f.kind == Kind::ShiftTooFar;
  };
  if (unknown.empty() || std::ranges::none_of(report.findings, byInput)) return {};
  if (!own_) {
    own_.emplace();
    auto plain = lower::sequential(reference_.function());
    if (!plain) return Failure(plain.error());
    auto program = lower::lower(*plain);
    if (!program) return Failure(program.error());
    auto executable = prepare(*program);
    if (!executable) return Failure(executable.error());
    Plan plan;
    if (options_.sample) {
      plan = samplingPlan(options_.budget, *plain, *executable, reference_.contents(), options_.seed, options_.stop);
    }
    GlobalMemory memory(*executable, reference_.contents(), plan);
    auto findings = execute(*executable, plan, memory, options_.stop);
    if (!findings) return Failure(findings.error());
    for (const Finding& f : *findings) own_->insert({f.kind, f.buffer});
  }
  const auto forgiven = std::erase_if(report.findings, [&](const Finding& f) {
    return byInput(f) && own_->count({f.kind, f.buffer}) > 0;
  });
  if (forgiven > 0) report.unknownInputs = unknown;
  return {};
}

Result<Report> Checker::check(const ir::Function& scheduled) {
  auto start = std::chrono::steady_clock::now();
  // What runs is the kernel that is exported, with its guards, at the numbers: not one made for them.
  auto at = lower::instance(scheduled, options_.numbers);
  if (!at) return Failure(at.error());
  if (auto same = comparable(reference_.function(), *at); !same) return Failure(same.error());
  auto program = lower::lower(scheduled);
  ir::Function running = *at;
  std::optional<Error> inOrder;
  if (!program && program.error().code == "NotAKernel") {
    inOrder = program.error();
    if (reference_.placesBarriers()) {
      // In order it would mean something else; what is wrong with it on its threads is known.
      Report report;
      addOriginal(report, false);
      if (report.findings.empty()) return Failure(*inOrder);
      report.status = Report::Status::Faults;
      return report;
    }
    // At the numbers: memory of one thread may be of any size, but of a known one.
    auto plain = lower::sequential(*at);
    if (!plain) {
      inOrder->message =
          message("{}; nor can it be run in order on one thread, because {}", inOrder->message, plain.error().message);
      return Failure(*inOrder);
    }
    program = lower::lower(*plain);
    running = *plain;
  }
  if (!program) return Failure(inOrder ? *inOrder : program.error());
  program = lower::instance(*program, options_.numbers);
  if (!program) return Failure(program.error());
  auto executable = prepare(*program);
  if (!executable) return Failure(executable.error());
  Plan plan;
  const std::vector<Landing> landings = executable->landings();
  // The rest of the budget is for lowering and comparing, and for what the plan takes for less than it is: asynchronous
  // kernels of many barriers took up to twice as long.
  const double each = options_.budget * 0.4 / double(landings.size());
  if (options_.sample)
    plan = samplingPlan(each, running, *executable, reference_.contents(), options_.seed, options_.stop);
  Report report;
  std::vector<GlobalMemory> memories;  // one for each way in which operations may land
  for (Landing landing : landings) {
    memories.emplace_back(*executable, reference_.contents(), plan);
    auto findings = execute(*executable, plan, memories.back(), options_.stop, landing);
    if (!findings) return Failure(findings.error());
    addNew(report.findings, std::move(*findings));
  }
  report.left = plan.left;
  report.sampled = plan.sampled();
  report.inOrder = std::move(inOrder);
  for (const auto& [parameter, range] : reference_.inputs().ranges) {
    report.drawn.push_back(message(
        "{} from {} to {}", reference_.function()->params[std::size_t(parameter)].buffer->name, range.low, range.high));
  }
  bool metUnknown = false;
  for (const GlobalMemory& memory : memories) {
    if (report.first) break;
    report.compared = report.total = report.mismatches = 0;
    Comparison comparison(reference_, options_, device::factorDigitsOf(*program), report);
    for (int output : reference_.outputs()) {
      const ir::VarNode* data = scheduled->params[std::size_t(output)].buffer->data.get();
      comparison.output(output, memory.at(data), executable->writers.before(data, ir::Id{}));
    }
    metUnknown |= comparison.metUnknown();
  }
  if (options_.stop.stop_requested())
    return fail("Cancelled", message("the check was cancelled"), Forbids::Environment);
  if (auto forgiven = forgiveInputs(report); !forgiven) return Failure(forgiven.error());
  addOriginal(report, metUnknown);
  // Faults first: the rest is advice.
  std::stable_partition(report.findings.begin(), report.findings.end(),
                        [](const Finding& f) { return isFault(f.kind); });
  bool faults = !report.findings.empty() && isFault(report.findings.front().kind);
  report.status = report.first           ? Report::Status::Wrong
                  : faults               ? Report::Status::Faults
                  : report.compared == 0 ? Report::Status::NotCompared
                  : report.sampled || report.compared < report.total || !report.unknownInputs.empty()
                      ? Report::Status::Partly
                      : Report::Status::Verified;
  // Threads that hand values to each other mean something else in order.
  if (report.inOrder && !report.foundNothing() && reference_.isThreaded()) return Failure(*report.inOrder);
  report.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return report;
}

Result<Report> check(const ir::Function& original, const ir::Function& scheduled, const Options& options) {
  auto checker = Checker::create(original, options);
  if (!checker) return Failure(checker.error());
  return checker->check(scheduled);
}

}  // namespace loom::exec
