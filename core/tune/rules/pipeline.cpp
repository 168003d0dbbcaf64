// R10, R12: copies of the tiles to come while one is multiplied; short loops written out.
#include <fmt/format.h>

#include "core/tune/rules/applications.h"

namespace loom::tune {

RuleOutcome unrollInner(const RuleInput&, const SketchDraft& draft) {
  if (!draft.unit) return leaves(message("no matrix instruction was chosen"));
  SketchDraft d = draft;
  d.begin("unroll", d.product->name);
  d.decide(8, "unroll", message("whether steps along k are written out"), {0, 1});
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
    // With two stages the copy of the next tile begins before this one is multiplied; with more, after it. A loop over
    // one step along k is none, so that what it does stands beside the copies.
    const bool alone = d.unit && d.valuesOf("k.inner").front() == 1;
    const auto when = [&](const char* stages, const char* steps) {
      return alone ? fmt::format("({}) * ({})", stages, steps) : std::string(stages);
    };
    const char *two = "(stages // 2) * (2 // stages)", *more = "stages // 3", *several = "k.inner - 1",
               *one = "1 // k.inner";
    d.line("sch.annotate(k0, \"software_pipeline_stage\", [0, 0, ?{stages - 1}])", when("stages - 1", several));
    d.line("sch.annotate(k0, \"software_pipeline_order\", [0, 1, 2])", when(two, several));
    d.line("sch.annotate(k0, \"software_pipeline_order\", [1, 2, 0])", when(more, several));
    if (alone) {
      d.line("sch.annotate(k0, \"software_pipeline_stage\", [0, 0, ?{stages - 1}, ?{stages - 1}, ?{stages - 1}])",
             when("stages - 1", one));
      d.line("sch.annotate(k0, \"software_pipeline_order\", [0, 1, 2, 3, 4])", when(two, one));
      d.line("sch.annotate(k0, \"software_pipeline_order\", [3, 4, 0, 1, 2])", when(more, one));
    }
    if (asynchronous) d.line("sch.annotate(k0, \"software_pipeline_async_stages\", [0])", "stages - 1");
    d.end();
  }
  d.atMost("shared memory", message("a block has at most {} bytes of shared memory", limit), Forbids::Hardware, bytes,
           limit);
  d.quantity("shared", bytes), d.quantity("shared.limit", std::to_string(limit));
  d.quantity("stages", most >= 2 ? "stages" : "1");
  if (most < 2) return {false, message("one tile along k"), {std::move(d)}};
  return appliesWith(std::move(d), message("up to {} tiles along k, copies {}", most,
                                           asynchronous ? message("asynchronous") : message("through registers")));
}

}  // namespace loom::tune
