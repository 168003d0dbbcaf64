#include "core/document/checked_sizes.h"

namespace loom::document {

Result<exec::Report> checkAtAll(const ir::Function& original, const ir::Function& scheduled,
                                const exec::Options& options, const std::vector<SizeChoice>& choices, SizeChoice* at) {
  std::optional<exec::Report> least;
  auto share = [](const exec::Report& r) { return r.total == 0 ? 1.0 : double(r.compared) / double(r.total); };
  for (const SizeChoice& choice : choices) {
    exec::Options here = options;
    here.numbers = choice.numbers;
    auto report = exec::check(original, scheduled, here);
    if (!report || !report->foundNothing()) {
      if (at) *at = choice;
      return report;
    }
    if (least && share(*least) <= share(*report)) continue;
    if (at) *at = choice;
    least = std::move(*report);
  }
  if (!least) return fail("NotExecutable", message("there is no size to check at"));
  return std::move(*least);
}

}  // namespace loom::document
