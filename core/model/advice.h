// Advice on a kernel: rules over its counts find what costs the most, and name a primitive that would help.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace loom::model {

// One cause of lost time in a kernel, with its numbers and a step that would help.
struct Advice {
  // "bank_conflicts", "scattered_access", "one_thread", "small_block", "idle_lanes", "repeated_work",
  // "few_blocks", "last_wave", "few_warps" (whose subject is "registers" or "shared"), "pipeline" (copies that products
  // don't hide; the subject says how far they overlap), "warpgroups" (what Hopper's warpgroups and TMA would gain; the
  // subject names what the kernel lacks), and "busiest", what takes most of a block's time, whose subject is a track of
  // the timeline ("copy", "shared", "arithmetic", "issue"), "tensor" or "waits". The user interface makes its text from
  // the code and the numbers; `message` is a sentence for other uses.
  std::string code;
  Message message;
  std::string subject;  // what `code` says, else the buffer or block that it is about; empty: the whole kernel
  std::string block;    // the block whose loops or access it is about; empty: none
  // Figures by name. All codes have "microseconds" (as below) and, if the time of the kernel is predicted, "predicted"
  // (that time in µs). pipeline_advice.h and warpgroup_advice.h have the figures of their codes; the others have
  //
  //     bank_conflicts         "ways" of the worst request, "conflicts" (wavefronts, over the grid), "write" (1: store)
  //     scattered_access       "sectors" of a request, in the mean; "needed" (the fewest that its bytes take);
  //                            "copy" (1: the statement copies to shared memory)
  //     one_thread             "threads" of a block; so has small_block
  //     repeated_work          "threads" of a block that do the same
  //     idle_lanes             "lanes" that work, of 32; "axis" (0 to 2) of threadIdx that no loop is bound to, or -1
  //     few_blocks             "blocks" of the grid, "multiprocessors"
  //     last_wave              "blocks" of the grid, "last" and "slots" (as in Waves)
  //     few_warps              "warps" and "most": resident on a multiprocessor, and possible; "roles"
  //     busiest                "percent" (Binding::percent), "roles", "ring"
  //
  // "roles" is 1 if the kernel's warps have roles (Estimate::roles), else 0, and "ring" if it has mbarriers of several
  // slots.
  std::map<std::string, double> numbers;
  double microseconds = 0;  // predicted cost in µs; 0: not known, or of "pipeline" also less than 2 % of the time
  int access = -1;          // index into KernelAccesses::accesses; -1: it is about no single access
  std::string step;  // a step line that would help, with the block's name as its handle; empty when none is known
};

// A padding of the rows of a buffer in shared memory, with which rows begin in different banks.
struct RowPadding {
  std::int64_t pitch = 0, padded = 0;  // elements from one row to the next, without and with the padding
  // A step line that adds it: sch.storage_align of the first block that writes the buffer, or, if none has a name, of
  // one with the buffer's, and of the block's first written buffer.
  std::string step;
};
// Returns a padding against the bank conflicts of an access, whether or not it has any: 16 bytes, or less if the
// conflict then has fewer ways and all accesses to the buffer stay aligned. Returns nothing for buffers that the kernel
// doesn't allocate, for buffers of one dimension, and for rows that are padded already or whose length is no power of
// two.
std::optional<RowPadding> paddingOf(const KernelAccesses& kernel, const Access& access);
// Returns the access as it would be with a padding that `paddingOf` returned for it.
Access padded(const Access& access, const RowPadding& padding);

// Returns the advice for a kernel, in this order: advice with a known cost, the costliest first; "warpgroups"; advice
// without a known cost; "busiest". Advice that is known to cost less than 2 % of the predicted time is left out, except
// "pipeline", whose cost is then given as 0. Empty if the model finds nothing, and for a draft of a kernel, which can't
// run. `fitted` has the constants of the cost model that were fitted to measured times.
std::vector<Advice> adviceOn(const KernelModel& model, const Device& device, const CalibratedConstants& fitted = {});

}  // namespace loom::model
