#include "app/panels/barriers/view/waits.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/device/lane_values.h"
#include "core/model/roles.h"
#include "core/model/waits.h"
#include "core/script/line_diff.h"

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

// What the line of CUDA says, without its indentation and what ends it.
std::string statementAt(const std::vector<std::string>& lines, int line) {
  if (line < 1 || line > int(lines.size())) return {};
  const std::string& text = lines[std::size_t(line - 1)];
  const std::size_t from = text.find_first_not_of(' '), to = text.rfind(';');
  return from == std::string::npos ? std::string() : text.substr(from, to == std::string::npos ? to : to - from);
}

AwaitedMbarrier awaitedBy(const device::SyncNode& wait, const device::Kernel& kernel,
                          const std::vector<model::MbarrierUse>& uses) {
  const device::Mbarrier& row = kernel.mbarriers[std::size_t(wait.barrier)];
  const model::MbarrierUse& use = uses[std::size_t(wait.barrier)];
  return {row.buffer->name, row.slots, row.arrivals, use.bytes, use.ofCluster, wait.phase != nullptr, row.open};
}

// The barriers that stand behind the making of mbarriers, so that everybody finds them made.
std::set<const device::SyncNode*> afterMbarriersOf(const device::Kernel& kernel) {
  std::set<const device::SyncNode*> all;
  bool made = false;
  device::forEach(kernel.body, [&](const device::Stmt& s) {
    if (s->kind != device::StmtKind::Sync) return true;
    const auto* sync = device::as<device::SyncNode>(s);
    if (sync->does == device::SyncDoes::Initialise) made = true;
    if (made && sync->does == device::SyncDoes::Wait && sync->token == device::Token::BlockBarrier) {
      all.insert(sync);
      made = false;
    }
    return true;
  });
  return all;
}

std::vector<Wait> waitsIn(const document::KernelText& text) {
  std::vector<Wait> all;
  if (!text.program) return all;
  const std::vector<std::string> lines = script::splitLines(text.source.text);
  for (const device::Kernel& kernel : text.program->kernels) {
    const std::map<ir::Id, std::string> names = namesIn(kernel);
    const std::vector<model::MbarrierUse> uses = model::mbarriersOf(kernel, model::rolesOf(kernel));
    const std::set<const device::SyncNode*> afterMbarriers = afterMbarriersOf(kernel);
    const auto warps = std::size_t((kernel.threads() + device::kLanes - 1) / device::kLanes);
    for (const model::WaitInfo& w : model::waitsOf(kernel)) {
      const device::SyncNode& statement = *w.statement;
      Wait wait;
      wait.token = statement.token;
      wait.line = codegen::lineOf(text.source, statement.number);
      wait.statement = statementAt(lines, wait.line);
      wait.warps = w.warps;
      wait.isOfAllWarps = w.warps.size() == warps;
      wait.byOneThread = w.byOneThread;
      wait.perBlock = w.perBlock, wait.atMost = w.atMost, wait.varies = w.varies;
      wait.reasons = reasonsOf(statement, names);
      wait.makesMbarriers = afterMbarriers.contains(&statement);
      wait.left = statement.allow;
      for (const device::Landed& landed : statement.landed)
        if (std::ranges::find(wait.buffers, landed.buffer->name) == wait.buffers.end())
          wait.buffers.push_back(landed.buffer->name);
      if (statement.barrier >= 0) wait.mbarrier = awaitedBy(statement, kernel, uses);
      all.push_back(std::move(wait));
    }
  }
  return all;
}

}  // namespace

const std::vector<Wait>& waitsOf(const Program& program) {
  return program.views.get<std::vector<Wait>>([&] { return waitsIn(program.kernel); });
}

}  // namespace loom::session
