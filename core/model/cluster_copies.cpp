#include "core/model/cluster_copies.h"

#include "core/device/cluster_places.h"
#include "core/device/operation.h"
#include "core/ir/visit.h"
#include "core/model/role_program.h"

namespace loom::model {
namespace {

std::optional<std::int64_t> valueOf(const device::OperationNode& copy, std::string_view name,
                                    const RoleValues& values) {
  const int at = copy.row->findValue(name);
  return at < 0 ? std::nullopt : values.evaluate(copy.values[std::size_t(at)]);
}

// The values that an expression takes in all iterations of the loops that it depends on.
constexpr std::int64_t kMostIterations = 1 << 12;
std::optional<std::uint64_t> ranksOf(const KernelAccesses& k, const Access& access, const ir::Expr& e,
                                     RoleValues values) {
  std::vector<const LoopInfo*> loops;
  std::int64_t iterations = 1;
  for (const int l : access.loops) {
    const LoopInfo& loop = k.loops[std::size_t(l)];
    if (!ir::usesVar(e, [&](const ir::VarNode* v) { return v == loop.var.get(); })) continue;
    loops.push_back(&loop);
    if ((iterations *= loop.extent) > kMostIterations) return std::nullopt;
  }
  std::uint64_t ranks = 0;
  for (std::int64_t n = 0; n < iterations; ++n) {
    std::int64_t rest = n;
    for (const LoopInfo* loop : loops) {
      values.set(loop->var.get(), rest % loop->extent);
      rest /= loop->extent;
    }
    const auto rank = values.evaluate(e);
    if (!rank || *rank < 0 || *rank >= k.kernel->blocksOfCluster()) return std::nullopt;
    ranks |= std::uint64_t{1} << *rank;
  }
  return ranks;
}

// Who reads whose slice.
std::optional<ClusterCopies> slicesOf(const KernelAccesses& k, const Access& access, std::int64_t cluster,
                                      RoleValues values) {
  const device::Kernel& kernel = *k.kernel;
  ClusterCopies copies;
  copies.slices = true;
  for (std::int64_t rank = 0; rank < kernel.blocksOfCluster(); ++rank) {
    copies.blocks.push_back(device::blockOf(kernel, cluster, rank));
    copies.parts.push_back({rank, rank, 0, 1, 1, 0});
  }
  for (std::size_t reader = 0; reader < copies.blocks.size(); ++reader) {
    values.setBlock(kernel, copies.blocks[reader]);
    const auto ranks = ranksOf(k, access, access.inBlock, values);
    if (!ranks) return std::nullopt;
    for (ClusterPart& p : copies.parts) p.receivers |= (*ranks >> p.rank & 1) << reader;
  }
  return copies;
}

}  // namespace

std::optional<ClusterCopies> clusterCopies(const KernelAccesses& k, const Access& access, std::int64_t block) {
  const device::Kernel& kernel = *k.kernel;
  if (kernel.blocksOfCluster() < 2) return std::nullopt;
  const std::int64_t cluster = device::clusterOf(kernel, block);
  RoleValues values;
  for (const ir::Var& v : kernel.threadIdx) values.set(v.get(), 0);
  for (const LoopInfo& loop : k.loops) values.set(loop.var.get(), 0);
  if (access.inBlock) return slicesOf(k, access, cluster, values);
  if (access.statement->kind != device::StmtKind::Operation || !access.tile) return std::nullopt;
  const auto& copy = *static_cast<const device::OperationNode*>(access.statement);
  if (device::blocksThatGet(copy) < 2) return std::nullopt;
  ClusterCopies copies;
  for (std::int64_t rank = 0; rank < kernel.blocksOfCluster(); ++rank) {
    copies.blocks.push_back(device::blockOf(kernel, cluster, rank));
    values.setBlock(kernel, copies.blocks.back());
    const auto row = valueOf(copy, "row", values), column = valueOf(copy, "column", values),
               receivers = valueOf(copy, "blocks", values);
    if (!row || !column || !receivers) return std::nullopt;
    copies.parts.push_back({rank, *row, *column, access.tile->rows, access.tile->columns, std::uint64_t(*receivers)});
  }
  return copies;
}

}  // namespace loom::model
