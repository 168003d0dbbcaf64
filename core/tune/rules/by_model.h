#pragma once

#include "core/tune/rules/trials.h"

namespace loom::tune {

/// A schedule replaces another one only if its predicted time is at most this times the other's.
inline constexpr double kBetter = 0.99;

/// A sketch is a schedule with open decisions; a construction gives each a value, mostly by a formula. Improves those
/// decisions of the constructed schedule `built` for which construction has no formula (Decision::leftToModel), one
/// after another until none changes or 32 schedules were tried: a decision moves up or down its values as long as each
/// move lessens the time that the model predicts for the program by `kBetter`. For the comparisons of moves,
/// predictions count thread blocks of more than 512 threads as 1.15 times slower, and are at least the latency of the
/// loads that a thread waits for one after another. If the construction splits sums into parts (split-K), the same is
/// tried without parts, with 32 schedules more; these replace the others if the time is less than `kBetter` times
/// theirs. If a better schedule is found, it replaces `built`; a ConstructionStep then says which values moved, but not
/// that the parts were given up. Built::microseconds, which must be set, becomes the plain prediction for the schedule.
/// `plan` has the sketch of `built`, and `trials` tries schedules of the program. Does nothing if no decision is left
/// to the model.
void decideByModel(const RulePlan& plan, Trials& trials, Built& built);

/// Replaces `built`, in which threads share the sums of several rows, by the schedule that the model predicts to be
/// fastest of all combinations of values that decisions left to the model have, but for widths of vectors, if these are
/// at most 64, compared as decideByModel does. A ConstructionStep says so. Built::microseconds becomes the plain
/// prediction. Does nothing for other schedules and for more combinations. `built` must have a predicted time.
void decideAmongFew(const RulePlan& plan, Trials& trials, Built& built);

}  // namespace loom::tune
