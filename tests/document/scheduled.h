// A small product and steps for it, for documents and times.
#pragma once
#include <gtest/gtest.h>

#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "tests/schedules/schedule_text.h"

namespace loom::document {

inline std::filesystem::path assets() { return std::string(TILELOOM_SOURCE_DIR) + "/assets"; }

inline schedule::Environment environment() {
  static const intrin::Library library = intrin::Library::load(assets() / "intrinsics").value();
  return schedule::Environment{&library};
}

inline const std::string kProduct = tests::programText("product", {{"M", 32}, {"N", 32}, {"K", 32}});

inline const std::string kBound = tests::scheduleText("rows_of_eight_blocks");

// The product with the lines applied.
inline Target scheduled(const std::string& lines) {
  auto target = openFunction(kProduct, "product.py");
  if (!target) throw std::runtime_error(target.error().message.english());
  auto applied = target->history.apply(0, lines, environment(), "steps");
  if (!applied) throw std::runtime_error(applied.error().message.english());
  if (applied->refusal) throw std::runtime_error(applied->refusal->message.english());
  return std::move(*target);
}

}  // namespace loom::document
