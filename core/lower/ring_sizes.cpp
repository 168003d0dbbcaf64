#include "core/lower/ring_sizes.h"

#include <algorithm>
#include <string_view>

#include "core/lower/annotations.h"
#include "core/lower/launch.h"

namespace loom::lower {

using namespace device;

namespace {

constexpr std::int64_t kMostSlots = 64;

}  // namespace

Result<RingSizes> RingSizes::of(const Kernel& kernel) {
  RingSizes sizes;
  for (const BlockNode* b : annotatedBlocks(kernel.body, kDoubleBuffer)) {
    const std::int64_t index = numberOf(b->annotations.at(kDoubleBuffer)).value_or(-1);
    if (index < 0 || index >= std::int64_t(b->writes.size())) {
      return notAKernel(
          message("the annotation \"{}\" of block {} names no buffer that the block writes", kDoubleBuffer, b->name),
          {b->block});
    }
    sizes.requests_.push_back({kDoubleBuffer, b, {b->writes[std::size_t(index)]}, 2});
  }
  for (const BlockNode* b : annotatedBlocks(kernel.body, kSlots)) {
    const std::int64_t slots = numberOf(b->annotations.at(kSlots)).value_or(-1);
    if (slots < 1 || slots > kMostSlots)
      return notAKernel(message("{} of block {} is a number from 1 to {}", kSlots, b->name, kMostSlots), {b->block});
    sizes.requests_.push_back({kSlots, b, b->writes, int(slots)});
  }
  return sizes;
}

bool RingSizes::isDoubled(const Buffer& b) const {
  return std::ranges::any_of(requests_, [&](const Request& r) {
    return std::string_view(r.key) == kDoubleBuffer && std::ranges::count(r.of, b) > 0;
  });
}

std::optional<RingSizes::Slots> RingSizes::slotsOf(const Buffer& b) const {
  for (const Request& r : requests_)
    if (std::string_view(r.key) == kSlots && std::ranges::count(r.of, b) > 0) return Slots{r.count, r.block};
  return std::nullopt;
}

std::vector<Remark> RingSizes::withoutEffect(const Buffers& versioned) const {
  std::vector<Remark> remarks;
  for (const Request& r : requests_) {
    const bool followed = r.count == 1 || std::ranges::any_of(r.block->writes, [&](const Buffer& w) {
                            return versioned.count(w.get()) > 0;
                          });
    if (!followed)
      addRemark(remarks,
                {message("the annotation \"{}\" of block {} has no effect on the kernel", r.key, r.block->name),
                 {r.block->block}});
  }
  return remarks;
}

}  // namespace loom::lower
