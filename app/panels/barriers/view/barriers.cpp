#include "app/panels/barriers/view/barriers.h"

#include <algorithm>
#include <map>

#include "core/model/access.h"

namespace loom::session {
namespace {

BarrierReason::Kind kindOf(const device::OrderedAccesses& order) {
  if (!order.writesBefore) return BarrierReason::Kind::kWriteAfterRead;
  return order.writesAfter ? BarrierReason::Kind::kWriteAfterWrite : BarrierReason::Kind::kReadAfterWrite;
}

// The names of a kernel's buffers and blocks.
std::map<ir::Id, std::string> namesIn(const device::Kernel& kernel) {
  std::map<ir::Id, std::string> names;
  for (const ir::Buffer& b : kernel.params) names[b->id] = b->name;
  for (const device::Allocation& a : kernel.allocations) names[a.buffer->id] = a.buffer->name;
  device::forEach(kernel.body, [&](const device::Stmt& s) {
    if (s->kind == device::StmtKind::Block)
      names[device::as<device::BlockNode>(s)->block] = device::as<device::BlockNode>(s)->name;
    return true;
  });
  return names;
}

void addNames(std::vector<std::string>& to, const std::vector<ir::Id>& ids,
              const std::map<ir::Id, std::string>& names) {
  for (const ir::Id id : ids) {
    const auto found = names.find(id);
    if (found == names.end() || found->second.empty()) continue;
    if (std::ranges::find(to, found->second) == to.end()) to.push_back(found->second);
  }
}

// One reason for each buffer and kind, with all blocks that it is about.
std::vector<BarrierReason> reasonsOf(const device::SyncNode& barrier, const std::map<ir::Id, std::string>& names) {
  std::vector<BarrierReason> reasons;
  for (const device::OrderedAccesses& order : barrier.orders) {
    const std::string& buffer = names.at(order.buffer);
    auto at = std::ranges::find_if(
        reasons, [&](const BarrierReason& r) { return r.buffer == buffer && r.kind == kindOf(order); });
    if (at == reasons.end()) at = reasons.insert(reasons.end(), {kindOf(order), buffer, {}, {}});
    addNames(at->before, order.before, names);
    addNames(at->after, order.after, names);
  }
  return reasons;
}

std::vector<Barrier> barriersIn(const document::KernelText& text) {
  std::vector<Barrier> all;
  if (!text.program) return all;
  for (const device::Kernel& kernel : text.program->kernels) {
    const std::map<ir::Id, std::string> names = namesIn(kernel);
    for (const model::BarrierInfo& b : model::accessesOf(kernel).barriers) {
      all.push_back({codegen::lineOf(text.source, b.statement->number), b.perBlock, !b.guards.empty(), b.varies,
                     reasonsOf(*b.statement, names)});
    }
  }
  return all;
}

}  // namespace

const std::vector<Barrier>& barriersOf(const Program& program) {
  return program.views.get<std::vector<Barrier>>([&] { return barriersIn(program.kernel); });
}

}  // namespace loom::session
