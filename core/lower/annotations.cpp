#include "core/lower/annotations.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/pass_table.h"
#include "core/schedule/read_place.h"
#include "core/schedule/read_value.h"
#include "core/script/launch_thread.h"

namespace loom::lower {

using namespace ir;

namespace {

// Whether a pass follows annotations of this key, or refuses them; `keys` are those of blocks or those of loops.
bool isFollowed(std::string_view key, std::span<const std::string_view> Pass::*keys) {
  return std::ranges::any_of(passes(), [&](const Pass& pass) { return std::ranges::count(pass.*keys, key) > 0; });
}

}  // namespace

std::optional<std::int64_t> numberOf(const AnnotationValue& value) {
  const auto* e = std::get_if<Expr>(&value.value);
  const auto* number = e && *e ? asInt(*e) : nullptr;
  return number ? std::optional(number->value) : std::nullopt;
}

std::optional<std::string> textOf(const AnnotationValue& value) {
  const auto* e = std::get_if<Expr>(&value.value);
  if (!e || !*e || (*e)->kind != ExprKind::StringImm) return std::nullopt;
  return as<StringImmNode>(*e)->value;
}

std::optional<std::vector<int>> numbersOf(const AnnotationValue& value) {
  const auto* list = std::get_if<AnnotationList>(&value.value);
  if (!list) return std::nullopt;
  std::vector<int> numbers;
  for (const AnnotationValue& entry : *list) {
    const auto number = numberOf(entry);
    if (!number || *number < 0 || *number > std::numeric_limits<int>::max()) return std::nullopt;
    numbers.push_back(int(*number));
  }
  return numbers;
}

DimensionAlignments dimensionAlignments(const BlockNode& block) {
  DimensionAlignments all;
  auto found = block.annotations.find(kDimAlign);
  if (found == block.annotations.end()) return all;
  auto* entries = std::get_if<AnnotationList>(&found->second.value);
  if (!entries) {
    all.meaningless = 1;
    return all;
  }
  for (const AnnotationValue& entry : *entries) {
    ++all.meaningless;  // until it is understood
    auto* list = std::get_if<AnnotationList>(&entry.value);
    if (!list || list->size() != 4) continue;
    std::int64_t numbers[4];
    bool constant = true;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto number = numberOf((*list)[i]);
      constant = constant && number;
      numbers[i] = number.value_or(0);
    }
    if (!constant || numbers[0] < 0 || numbers[0] >= std::int64_t(block.writes.size()) || numbers[2] <= 0) continue;
    const Buffer& b = block.writes[std::size_t(numbers[0])].buffer;
    const std::int64_t rank = std::int64_t(b->shape.size());
    const std::int64_t axis = numbers[1] < 0 ? numbers[1] + rank : numbers[1];
    if (axis < 0 || axis >= rank) continue;
    all.entries.push_back({b, std::size_t(axis), numbers[2], numbers[3]});
    --all.meaningless;
  }
  return all;
}

Annotations unrollAnnotations(const Annotations& all) {
  Annotations found;
  for (const char* key : {kUnrollSteps, kUnrollExplicit})
    if (const auto at = all.find(key); at != all.end()) found.insert(*at);
  return found;
}

Stmt keepingUnrollAnnotations(const ForNode& loop, Stmt body) {
  Annotations kept = unrollAnnotations(loop.annotations);
  if (!body || kept.empty()) return body;
  BlockNode b;
  b.annotations = std::move(kept);
  b.body = std::move(body);
  return realize({}, boolImm(true), std::make_shared<const BlockNode>(std::move(b)));
}

std::vector<device::Remark> remarksOnAnnotations(const Stmt& body) {
  std::vector<device::Remark> remarks;
  auto remark = [&](Message text, Id subject) { device::addRemark(remarks, {std::move(text), {subject}}); };
  std::set<const BufferNode*> allocated;
  forEachStmt(body, [&](const Stmt& s) {
    if (auto* loop = asFor(s)) {
      for (const auto& [key, value] : loop->annotations) {
        if (key == script::kLaunchThread || isFollowed(key, &Pass::ofLoops)) continue;
        remark(message("the annotation \"{}\" of loop {} has no effect on the kernel", key, loop->var->name), loop->id);
      }
    }
    if (s->kind != StmtKind::BlockRealize) return true;
    const BlockNode& block = *asRealize(s)->block;
    for (const Buffer& b : block.allocs) allocated.insert(b.get());
    for (const auto& [key, value] : block.annotations) {
      if (key == schedule::kReadPlace || key == schedule::kReadValue) continue;  // it is there for a later step
      bool followed = isFollowed(key, &Pass::ofBlocks);                          // or refused
      if (key == kDimAlign) {
        const DimensionAlignments asked = dimensionAlignments(block);
        // The memory of a function's parameters is the caller's: only what a kernel allocates is laid out here.
        followed =
            asked.meaningless == 0 && std::all_of(asked.entries.begin(), asked.entries.end(),
                                                  [&](const auto& e) { return allocated.count(e.buffer.get()) > 0; });
      }
      if (!followed) {
        remark(message("the annotation \"{}\" of block {} has no effect on the kernel", key, block.name), block.id);
      }
    }
    return true;
  });
  return remarks;
}

}  // namespace loom::lower
