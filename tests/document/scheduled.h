// A small matrix product (32 × 32 × 32, float32) and schedule steps for it, for tests of documents and of times.
#pragma once
#include <gtest/gtest.h>

#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "tests/schedules/schedule_text.h"

namespace loom::document {

// Returns the folder of assets in the source tree.
inline std::filesystem::path assets() { return std::string(TILELOOM_SOURCE_DIR) + "/assets"; }

// Returns the environment to apply steps in: the tensor intrinsics of the assets.
inline schedule::Environment environment() {
  static const intrin::Library library = intrin::Library::load(assets() / "intrinsics").value();
  return schedule::Environment{&library};
}

// The product as TVMScript, and its step lines: each thread block computes eight rows, and the columns are bound to
// threads.
inline const std::string kProduct = tests::programText("product", {{"M", 32}, {"N", 32}, {"K", 32}});

inline const std::string kBound = tests::scheduleText("rows_of_eight_blocks");

// Returns the product opened as a target, with `lines` (step lines) applied to its start. Throws std::runtime_error if
// the product can't be opened, or a line can't be read or is refused.
inline Target scheduled(const std::string& lines) {
  auto target = openFunction(kProduct, "product.py");
  if (!target) throw std::runtime_error(target.error().message.english());
  auto applied = target->history.apply(0, lines, environment(), "steps");
  if (!applied) throw std::runtime_error(applied.error().message.english());
  if (applied->refusal) throw std::runtime_error(applied->refusal->message.english());
  return std::move(*target);
}

}  // namespace loom::document
