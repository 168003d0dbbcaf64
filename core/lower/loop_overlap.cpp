#include "core/lower/loop_overlap.h"

#include "core/lower/annotations.h"
#include "core/lower/launch.h"

namespace loom::lower {

using namespace ir;

namespace {

// How many turns of the pipeline one iteration of the made loop does (device::Overlap::unroll).
Result<int> unrolledTurnsOf(const ForNode& n, const AnnotationValue& value) {
  constexpr int kMost = 64;
  const auto turns = numberOf(value);
  if (!turns || *turns < 1 || *turns > kMost)
    return notAKernel(message("\"{}\" of loop {} is a whole number from 1 to {}: the turns that one iteration does",
                              kUnrollStages, n.var->name, kMost),
                      {n.id});
  if (!n.annotations.contains(kStage))
    return notAKernel(
        message("loop {} is no pipeline, of which \"{}\" could unroll the stages", n.var->name, kUnrollStages), {n.id},
        message("sch.split({}, …) and sch.unroll(…) of its inner loop", n.var->name));
  return int(*turns);
}

}  // namespace

Result<std::optional<device::Overlap>> overlapOf(const ForNode& n) {
  device::Overlap overlap;
  bool any = false;
  for (auto [key, to] :
       {std::pair{kStage, &overlap.stage}, {kOrder, &overlap.order}, {kAsyncStages, &overlap.asyncStages}}) {
    const auto found = n.annotations.find(key);
    if (found == n.annotations.end()) continue;
    any = true;
    auto numbers = numbersOf(found->second);
    if (!numbers)
      return notAKernel(
          message("the annotation \"{}\" of loop {} isn't a list of whole numbers from 0 on", key, n.var->name),
          {n.id});
    *to = std::move(*numbers);
  }
  if (const auto found = n.annotations.find(kUnrollStages); found != n.annotations.end()) {
    auto turns = unrolledTurnsOf(n, found->second);
    if (!turns) return Failure(turns.error());
    overlap.unroll = *turns;
  }
  if (!any) return std::optional<device::Overlap>();
  if (n.annotations.contains(kStage) != n.annotations.contains(kOrder))
    return notAKernel(
        message("loop {} has only one of \"{}\" and \"{}\": a pipeline needs both", n.var->name, kStage, kOrder),
        {n.id},
        message("sch.annotate({}, \"{}\", [0, …])", n.var->name, n.annotations.contains(kStage) ? kOrder : kStage));
  if (!n.annotations.contains(kStage)) return std::optional<device::Overlap>();
  return std::optional(std::move(overlap));
}

}  // namespace loom::lower
