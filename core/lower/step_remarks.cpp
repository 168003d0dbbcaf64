#include "core/lower/step_remarks.h"

#include <algorithm>

#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/schedule/warnings.h"

namespace loom::lower {
namespace {

const ir::Annotations* annotationsOf(const schedule::Tree& tree, ir::Id id) {
  if (tree.isLoop(id)) return &tree.loop(id)->annotations;
  if (tree.isBlock(id)) return &tree.block(id)->annotations;
  return nullptr;
}

// Loops and blocks that were there before and have now an annotation that they hadn't.
bool wasAnnotated(const schedule::State& before, const schedule::State& after, ir::Id id) {
  auto *then = annotationsOf(before.tree(), id), *now = annotationsOf(after.tree(), id);
  if (!then || !now) return false;
  return std::any_of(now->begin(), now->end(), [&](const auto& entry) { return !then->count(entry.first); });
}

bool says(const std::vector<device::Remark>& all, const std::string& text, ir::Id subject) {
  return std::any_of(all.begin(), all.end(), [&](const device::Remark& r) {
    return r.text == text && std::find(r.subjects.begin(), r.subjects.end(), subject) != r.subjects.end();
  });
}

std::vector<device::Remark> annotationRemarks(const schedule::State& state) {
  std::vector<device::Remark> all;
  for (const ir::Function& f : state.module().functions)
    for (device::Remark& r : remarksOnAnnotations(f->body)) device::addRemark(all, std::move(r));
  return all;
}

}  // namespace

std::vector<StepRemark> remarksOnStep(const schedule::State& before, const schedule::State& after) {
  return remarksOnStep(before, nullptr, after, nullptr);
}

std::vector<StepRemark> remarksOnStep(const schedule::State& before, const device::Program* loweredBefore,
                                      const schedule::State& after, const device::Program* loweredAfter) {
  std::vector<StepRemark> all;
  if (&before.program() == &after.program()) return all;
  for (Error& e : schedule::warnings(before, after))
    all.push_back(
        {StepRemark::Kind::kBreaks, e.code, std::move(e.message), std::move(e.subjects), std::move(e.remedy)});
  const auto then = annotationRemarks(before), now = annotationRemarks(after);
  for (const device::Remark& r : now) {
    std::vector<ir::Id> subjects;
    for (ir::Id id : r.subjects)
      if (!says(then, r.text, id) && wasAnnotated(before, after, id)) subjects.push_back(id);
    if (!subjects.empty()) all.push_back({StepRemark::Kind::kNoEffect, "", r.text, subjects, {}});
  }
  if (!loweredAfter) return all;
  for (const device::Remark& r : loweredAfter->remarks) {
    auto isAnnotation = [&](const device::Remark& a) { return a.text == r.text; };
    if (std::any_of(now.begin(), now.end(), isAnnotation)) continue;
    std::vector<ir::Id> subjects;
    for (ir::Id id : r.subjects)
      if (!loweredBefore || !says(loweredBefore->remarks, r.text, id)) subjects.push_back(id);
    if (!subjects.empty()) all.push_back({StepRemark::Kind::kNoEffect, "", r.text, subjects, {}});
  }
  return all;
}

}  // namespace loom::lower
