// R10, R12: copies of the tiles to come while one is multiplied; short loops written out.
#include <fmt/format.h>

#include <algorithm>

#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

constexpr std::int64_t kOfMultiprocessor = 228 * 1024;  // bytes of shared memory, what the driver keeps with it
constexpr std::int64_t kMostInstructions = 512;         // of a matrix instruction, in one iteration of the loop over k
// On elements, on CUDA cores, where copies take as many as a third of that: code beyond 32 KB is fetched too slowly.
// The sum of (a - b)² of 1000 × 1200 × 300 took 62.5 µs with 4,096 in an iteration, with 1,536 43.5 (H200, measured for
// this project, 2026-11-28).
constexpr std::int64_t kMostOnElements = 1536;

// The instructions that a thread does on elements for one step along k, as an expression.
std::string onElements(const SketchDraft& d) {
  return d.product->instructions > 1 ? fmt::format("{}*{}", d.product->instructions, d.results) : d.results;
}

// "[0, 0, 1]": `first`, so many times `repeated`, and `last`, of one statement each.
std::string listOf(const std::vector<std::string>& first, std::size_t times, const std::string& repeated,
                   const std::vector<std::string>& last) {
  std::vector<std::string> all = first;
  all.insert(all.end(), times, repeated);
  all.insert(all.end(), last.begin(), last.end());
  return fmt::format("[{}]", fmt::join(all, ", "));
}

// "[2, 3, 0, 1]": the numbers from `first` on, so many, and then these.
std::string orderOf(std::size_t first, std::size_t count, const std::vector<std::size_t>& last) {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n < count; ++n) all.push_back(first + n);
  all.insert(all.end(), last.begin(), last.end());
  return fmt::format("[{}]", fmt::join(all, ", "));
}

// The loop over the steps of a tile becomes a pipeline itself: its beginning, the first operands of the next tile, is
// a statement of the loop around it, which comes between the products of this tile, and a stage before them.
void readAhead(SketchDraft& d) {
  std::vector<std::vector<std::int64_t>> stages, steps;
  for (std::int64_t s : d.valuesOf("stages"))
    for (std::int64_t a : {0, 1})
      if (a == 0 || s >= 3) stages.push_back({s, a});
  for (std::int64_t n : d.valuesOf("k.inner"))
    for (std::int64_t a : {0, 1})
      if (a == 0 || n % 2 == 0) steps.push_back({n, a});
  d.table("ahead stages", message("operands are read across the barrier with three stages and more"), Forbids::Program,
          {"stages", "ahead"}, stages);
  d.table("ahead steps", message("two sets of registers take turns an even number of times in a tile"),
          Forbids::Program, {"k.inner", "ahead"}, steps);
  if (d.has("unroll"))
    d.atMost("ahead unrolled", message("registers have no index: steps along k are written out"), Forbids::Program,
             "ahead - unroll", 0);
  const std::size_t copies = operandTilesOf(d).size();
  const auto line = [&](const char* loop, const char* what, const std::string& list) {
    d.line(fmt::format("sch.annotate({}, \"software_pipeline_{}\", {})", loop, what, list), "ahead");
  };
  line("k1", "stage", listOf({}, copies, "0", {"1"}));
  line("k1", "order", orderOf(0, copies, {copies}));
  line("k0", "stage", listOf({}, copies, "0", {"?{stages - 2}", "?{stages - 1}", "?{stages - 1}"}));
  line("k0", "order", orderOf(3, copies, {1, 0, 2}));
}

// A turn for each slot of the ring, one after the other: slots are constants, and addresses fold into instructions.
void writeTurns(SketchDraft& d) {
  d.decideWhether(8, "turns", message("whether one iteration along k does a turn for each slot"));
  d.atMost("turns", message("a ring has two slots and more"), Forbids::Program, "2*turns - stages", 0);
  d.atMost("turns written out",
           message("at most {} instructions are written out: more miss the instruction cache",
                   d.unit ? kMostInstructions : kMostOnElements),
           Forbids::Hardware, d.unit ? "turns*stages*k.inner*i.frags*j.frags" : "turns*stages*k.inner*" + onElements(d),
           d.unit ? kMostInstructions : kMostOnElements);
  d.line("sch.annotate(k0, \"tileloom.unroll_stages\", ?stages)", "turns");
}

}  // namespace

void limitCode(SketchDraft& draft) {
  draft.atMost("code",
               message("at most {} instructions are written out: more miss the instruction cache", kMostOnElements),
               Forbids::Hardware, "k.inner*" + onElements(draft), kMostOnElements);
  draft.quantity("instructions", std::to_string(draft.product->instructions));
  draft.quantity("written", "k.inner*" + onElements(draft));
  draft.quantity("written.limit", std::to_string(kMostOnElements));
}

RuleOutcome unrollInner(const RuleInput&, const SketchDraft& draft) {
  if (!draft.unit) return leaves(message("no matrix instruction was chosen"));
  SketchDraft d = draft;
  d.begin("unroll", d.product->name);
  d.decideWhether(8, "unroll", message("whether steps along k are written out"));
  d.line("sch.unroll(k1)", "unroll");
  for (const char* loop : {"i2", "j2"}) d.line(fmt::format("sch.unroll({})", loop));
  d.end();
  return appliesWith(std::move(d), message("at most {} × {} × {} instructions in a trip", 8, 8, 8));
}

RuleOutcome pipelineCopies(const RuleInput& input, const SketchDraft& draft) {
  if (draft.threads.empty()) return leaves(message("the block has no tiles"));
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  const bool asynchronous = input.device.capability >= 80;
  const std::int64_t limit =
      !d.unit || d.unit->sharedScope == "shared.dyn" ? input.device.sharedBytes : input.device.staticSharedBytes;
  const std::int64_t most = *std::ranges::max_element(d.valuesOf("k.outer"));
  std::string bytes;
  const auto sum = [](std::string& to, const std::string& more) { to += (to.empty() ? "" : " + ") + more; };
  const std::string times = most >= 2 ? "stages*" : "";
  for (std::string copied : d.bytesCopied) {
    for (std::size_t at = 0; (at = copied.find(" + ", at)) != std::string::npos; at += 3 + times.size())
      copied.insert(at + 3, times);
    sum(bytes, times + copied);
  }
  if (!d.bytesOfResult.empty()) sum(bytes, d.bytesOfResult);
  if (most >= 2) {
    d.decide(4, "stages", message("tiles along k that are on their way or used at a time"), {1, 2, 3, 4, 5, 6, 7, 8});
    d.atMost("stages", message("no more stages than tiles along k"), Forbids::Program, "stages - k.outer", 0);
    d.begin("pipeline", c.name);
    const bool ahead = d.has("ahead");
    if (ahead) readAhead(d);
    // With two stages the copy of the next tile begins before this one is multiplied; with more, after it.
    const auto when = [&](const char* stages) {
      return ahead ? fmt::format("({}) * (1 - ahead)", stages) : std::string(stages);
    };
    const std::size_t copies = operandTilesOf(d).size();  // and on CUDA cores as many to registers
    const auto line = [&](const char* what, const std::string& list, const char* condition) {
      d.line(fmt::format("sch.annotate(k0, \"software_pipeline_{}\", {})", what, list), when(condition));
    };
    line("stage", listOf({}, copies, "0", {"?{stages - 1}"}), "stages - 1");
    line("order", orderOf(0, copies, {copies}), "(stages // 2) * (2 // stages)");
    line("order", orderOf(1, copies, {0}), "stages // 3");
    if (asynchronous) d.line("sch.annotate(k0, \"software_pipeline_async_stages\", [0])", "stages - 1");
    writeTurns(d);
    d.end();
  }
  d.atMost("shared memory", message("a block has at most {} bytes of shared memory", limit), Forbids::Hardware, bytes,
           limit);
  if (d.has("resident")) {
    std::string ofAll = "resident*" + bytes + " + 1024*resident";
    for (std::size_t at = 0; (at = ofAll.find(" + ", at)) != std::string::npos; at += 3)
      if (ofAll.compare(at + 3, 5, "1024*") != 0) ofAll.insert(at + 3, "resident*");
    d.atMost("shared memory of all", message("as many blocks fit {} bytes of shared memory", kOfMultiprocessor),
             Forbids::Hardware, ofAll, kOfMultiprocessor);
    d.atMost("resident threads", message("a multiprocessor has at most {} threads", 2048), Forbids::Hardware,
             "resident*" + d.threads, 2048);
  }
  d.quantity("shared", bytes), d.quantity("shared.limit", std::to_string(limit));
  d.quantity("stages", most >= 2 ? "stages" : "1");
  if (most < 2) return {false, message("one tile along k"), {std::move(d)}};
  return appliesWith(std::move(d), message("up to {} tiles along k, copies {}", most,
                                           asynchronous ? message("asynchronous") : message("through registers")));
}

}  // namespace loom::tune
