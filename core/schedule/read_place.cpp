#include "core/schedule/read_place.h"

#include <algorithm>

#include "core/arith/block_access.h"
#include "core/arith/deep_equal.h"
#include "core/ir/loads.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

std::vector<std::vector<Expr>> readPlaces(const BlockNode& block, const Buffer& buffer) {
  std::vector<std::vector<Expr>> places;
  for (const LoadNode* load : loadsIn(block.body)) {
    if (load->buffer != buffer) continue;
    const auto isHere = [&](const std::vector<Expr>& place) {
      return std::ranges::equal(place, load->indices, arith::deepEqual);
    };
    if (std::ranges::none_of(places, isHere)) places.push_back(load->indices);
  }
  return places;
}

Result<std::vector<Expr>> annotatedPlace(const BlockNode& block, const Buffer& buffer) {
  const auto note = block.annotations.find(kReadPlace);
  if (note == block.annotations.end()) return std::vector<Expr>();
  const auto* value = std::get_if<Expr>(&note->second.value);
  const std::int64_t number = value ? constantOr(*value, 0) : 0;
  std::vector<std::vector<Expr>> places = readPlaces(block, buffer);
  if (number < 1 || number > std::int64_t(places.size()))
    return refuse("ValueError",
                  message("{} of block {} is a number from 1 to {}: at so many places it reads {}", kReadPlace,
                          block.name, places.size(), buffer->name),
                  {block.id, buffer->id});
  return std::move(places[std::size_t(number) - 1]);
}

std::vector<BufferRegion> readsOfBody(const Block& block) {
  arith::KnownBuffers known;
  for (const auto* regions : {&block->reads, &block->writes})
    for (const BufferRegion& region : *regions) known[region.buffer->data.get()] = region.buffer;
  for (const LoadNode* load : loadsIn(block->body)) known[load->buffer->data.get()] = load->buffer;
  return arith::blockReadWrite(block, known).reads;
}

Block withoutPlace(const Block& block) {
  return edit(*block, [&](BlockNode& n) {
    n.annotations.erase(kReadPlace);
    n.reads = readsOfBody(block);
  });
}

}  // namespace loom::schedule
