// What costs the most, and the primitive that would help: rules over the counts, each with the number behind it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace loom::model {

struct Advice {
  // "bank_conflicts", "scattered_access", "one_thread", "small_block", "idle_lanes", "repeated_work",
  // "few_blocks", "last_wave", "few_warps" (whose subject is "registers" or "shared"), and last "busiest",
  // whose subject is a track of Playback, "tensor" or "waits". Texts in the user's language are made from the
  // code and the numbers at the edge; `message` is one in words.
  std::string code;
  Message message;
  std::string subject;  // the buffer, or the block, that it is about; empty: the kernel
  std::string block;    // whose loops or whose access it is; empty: none of its own
  std::map<std::string, double> numbers;
  double microseconds = 0;  // that it costs, by the estimate's own constants; 0 where that isn't known
  int access = -1;          // index into KernelAccesses, or -1
  std::string step;  // a step line that would help, with the block's name as its handle; empty when none is known
};

// Rows of a shared buffer that begin in other banks when they lie further apart.
struct RowPadding {
  std::int64_t pitch = 0, padded = 0;  // elements from a row to the next, now and then
  std::string step;                    // a step line that makes it so, with the block's name as its handle
};
// By 16 bytes, or by less where that leaves the access fewer ways and keeps all accesses of the buffer aligned. None
// for buffers of one dimension, for rows that are padded already or are no power of two long.
std::optional<RowPadding> paddingOf(const KernelAccesses& kernel, const Access& access);
// The access with every element as many rows further as it was, in rows that are longer.
Access padded(const Access& access, const RowPadding& padding);

// The costliest first; none known to cost below 2 % of the predicted time. Empty when the model finds nothing.
std::vector<Advice> adviceOn(const KernelModel& model, const Device& device, const CalibratedConstants& fitted = {});

}  // namespace loom::model
