#include "app/panels/thread_binding/view/swizzle.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>

#include "core/lower/swizzle.h"

namespace loom::session {

namespace {

constexpr std::int64_t kPiece = 16;  // bytes that stay together
constexpr std::int64_t kRows = 8;    // after which the pattern repeats

// The one block that writes the buffer, by name; empty where several do.
std::string writerOf(const model::KernelAccesses& kernel, const ir::Buffer& buffer) {
  std::set<std::string> names;
  for (const model::Access& a : kernel.accesses)
    if (a.buffer == buffer && a.write) names.insert(a.blockName);
  return names.size() == 1 ? *names.begin() : "";
}

}  // namespace

std::optional<SwizzledRequest> otherSwizzle(const model::KernelAccesses& kernel, const model::Access& access) {
  const auto& all = kernel.kernel->allocations;
  const auto a = std::ranges::find(all, access.buffer, &device::Allocation::buffer);
  if (a == all.end() || !model::isShared(a->memory)) return std::nullopt;
  const std::vector<std::int64_t> extents = a->extents(), strides = a->strides();
  if (extents.size() < 2) return std::nullopt;
  const std::int64_t span = extents.back() * access.bytes;
  if (span != 32 && span != 64 && span != 128) return std::nullopt;
  SwizzledRequest found;
  found.span = int(span);
  for (const layout::Stage& stage : a->layout.stages())
    found.isSwizzled |= std::holds_alternative<layout::XorStage>(stage);
  if (found.isSwizzled) return found;
  std::int64_t rows = 1;
  for (std::size_t d = 0; d + 1 < extents.size(); ++d) rows *= extents[d];
  const bool padded = strides.size() == extents.size() && strides[strides.size() - 2] != extents.back();
  const bool tiles = std::ranges::any_of(
      kernel.accesses, [&](const model::Access& x) { return x.buffer == access.buffer && x.tile.has_value(); });
  if (padded || tiles || rows % kRows != 0) return std::nullopt;
  if (const std::string writer = writerOf(kernel, access.buffer); !writer.empty())
    found.step = fmt::format("sch.annotate(sch.get_block(\"{}\"), \"{}\", {})", writer, lower::kSwizzle, span);
  return found;
}

void swizzle(layout::Request& request, int span) {
  for (std::int64_t& address : request.address)
    address ^= (address / (kRows * kPiece) & (span / kPiece - 1)) * kPiece;
}

}  // namespace loom::session
