#include "app/panels/memory/view/memory.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/panels/memory/view/compiled_traffic.h"
#include "app/panels/memory/view/time_bounds.h"
#include "core/device/operation.h"
#include "core/ir/element_layout.h"
#include "core/ir/expr.h"
#include "core/ir/packed.h"
#include "core/ir/visit.h"
#include "core/layout/fragment_scope.h"
#include "core/lower/lower.h"
#include "core/model/cluster_copies.h"
#include "core/model/persistent_turns.h"
#include "core/model/roles.h"

namespace loom::session {

namespace {

using device::Memory;

MemoryLevel levelOf(Memory memory) {
  switch (memory) {
    case Memory::Global: return MemoryLevel::kGlobal;
    case Memory::Shared:
    case Memory::SharedDynamic: return MemoryLevel::kShared;
    default: return MemoryLevel::kRegisters;
  }
}

MemoryLevel levelOf(const std::string& scope) {
  if (scope.empty() || scope == "global") return MemoryLevel::kGlobal;
  return scope.rfind("shared", 0) == 0 ? MemoryLevel::kShared : MemoryLevel::kRegisters;
}

std::vector<std::int64_t> extentsOf(const ir::Buffer& buffer) {
  std::vector<std::int64_t> extents;
  for (const ir::Expr& e : buffer->shape) extents.push_back(ir::constantOr(e, 0));
  return extents;
}

// Buffers of a function where they are declared, parameters first.
std::vector<ir::Buffer> declared(const ir::Function& function) {
  struct Declared : ir::Visitor {
    std::vector<ir::Buffer> all;
    void visitBlock(const ir::BlockNode& block) override {
      all.insert(all.end(), block.allocs.begin(), block.allocs.end());
      Visitor::visitBlock(block);
    }
  } found;
  for (const ir::Parameter& p : function->params)
    if (p.buffer) found.all.push_back(p.buffer);
  found.visit(ir::Stmt(function->body));
  return found.all;
}

// The parameter that a cache is named after: TVM appends the scope to the name of what is cached.
int columnByName(const std::string& name, const std::vector<std::string>& parameters) {
  int best = -1;
  std::size_t length = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (name.rfind(parameters[i], 0) != 0 || parameters[i].size() < length) continue;
    if (name.size() > parameters[i].size() && name[parameters[i].size()] != '_') continue;
    best = int(i);
    length = parameters[i].size();
  }
  return best;
}

class Maker {
 public:
  Maker(const document::KernelText& text, const model::Device* device) : text_(text), device_(device) {}

  MemoryView make(const model::KernelModel* m, const compile::KernelResources* resources) {
    const auto buffers = begin();
    if (m) {
      kernel(*m, resources);
    } else {
      withoutKernel(buffers);
    }
    return std::move(view_);
  }

 private:
  std::vector<ir::Buffer> begin() {
    for (const ir::Parameter& p : text_.function->params)
      if (p.buffer) parameters_.push_back(p.buffer->name);
    auto buffers = declared(text_.function);
    for (const ir::Buffer& b : buffers) {
      ids_[b->name].push_back(b->id);
      declared_.emplace(b->name, b);
    }
    if (device_) view_.device = device_->name;
    if (text_.problem) view_.problem = text_.problem->message;
    return buffers;
  }

  int columnOf(const std::string& name) {
    const int column = columnByName(name, parameters_);
    return column >= 0 ? column : std::max(0, int(parameters_.size()) - 1);
  }

  // As lowering would allocate them where it comes so far, though what holds them is no kernel yet.
  void withoutKernel(const std::vector<ir::Buffer>& buffers) {
    const auto compacted = lower::allocatedBuffers(text_.function);
    view_.allocated = compacted.has_value();
    for (const ir::Buffer& b : buffers) {
      const bool own = std::none_of(text_.function->params.begin(), text_.function->params.end(),
                                    [&](const ir::Parameter& p) { return p.buffer && p.buffer->name == b->name; });
      if (compacted && own) {
        const auto found =
            std::find_if(compacted->begin(), compacted->end(), [&](const ir::Buffer& c) { return c->name == b->name; });
        if (found != compacted->end()) {
          declare(*found);
          MemoryBuffer& m = view_.buffers.back();
          if (m.level == MemoryLevel::kRegisters) m.perThread = m.bytes;  // of how many isn't known
          asDeclared(m, b);
          continue;
        }
      }
      declare(b);
    }
  }

  // What the program declares, where something smaller is allocated.
  static void asDeclared(MemoryBuffer& m, const ir::Buffer& b) {
    const auto shape = extentsOf(b);
    double bytes = ir::bytesEach(b->dtype);
    for (std::int64_t e : shape) bytes *= double(e);
    if (shape == m.shape) return;
    m.declared = shape;
    m.declaredBytes = bytes;
  }

  void declare(const ir::Buffer& b) {
    MemoryBuffer m;
    m.level = levelOf(b->scope);
    m.column = columnOf(b->name);
    m.name = b->name;
    m.dtype = b->dtype.str();
    m.shape = extentsOf(b);
    m.fragment = layout::isFragmentScope(b->scope);
    m.bytes = ir::bytesEach(b->dtype);
    if (b->strides.size() == m.shape.size() && m.shape.size() >= 2)  // padding is allocated too
      m.shape.back() = std::max(m.shape.back(), ir::constantOr(b->strides[m.shape.size() - 2], 0));
    for (std::int64_t e : m.shape) m.bytes *= double(e);
    if (const auto layout = ir::elementLayout(*b); layout && b->scope == "global")
      m.bytes = double(ir::bytesOf(b->dtype, layout->footprint()));
    m.ids = ids_[b->name];
    view_.buffers.push_back(std::move(m));
  }

  void kernel(const model::KernelModel& m, const compile::KernelResources* resources) {
    const device::Kernel& k = *m.accesses.kernel;
    view_.kernel = view_.allocated = true;
    view_.draft = k.draft;
    view_.blocks = k.blocks();
    view_.cluster = k.blocksOfCluster();
    if (const std::vector<std::int64_t> turns = model::persistentTurns(k); !turns.empty()) {
      view_.mostTurns = int(turns.size());
      view_.leastTurns = int(std::ranges::count(turns, k.blocks()));
    }
    view_.threads = k.threads();
    if (resources) view_.registers = resources->registers;
    for (const model::BufferLifetime& r : m.hierarchy.residents) resident(m, r);
    sharing(k);
    traffic(m);
    view_.compiledTraffic = compiledTraffic(m, view_.traffic, [&](const std::string& name) { return columnOf(name); });
    barriers(m);
    mbarriers(m);
    const auto& all = m.accesses.accesses;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].phase != all[i - 1].phase) view_.barriersAt.push_back(double(i) / double(all.size()));
    if (!device_) return;
    budgets(m);
    if (view_.draft) return;  // what never runs takes no time
    view_.floors = memoryTimeBounds(m, *device_, view_.multiprocessors, view_.blocks);
  }

  void resident(const model::KernelModel& m, const model::BufferLifetime& r) {
    MemoryBuffer b;
    b.level = levelOf(r.memory);
    b.name = r.buffer->name;
    b.column = columnOf(b.name);
    b.dtype = r.buffer->dtype.str();
    b.bytes = r.bytes;
    b.fragment = r.memory == Memory::Fragment;
    b.shape = extentsOf(r.buffer);
    for (const device::Allocation& a : m.accesses.kernel->allocations) {
      const std::vector<std::int64_t> extents = a.extents(), strides = a.strides();
      if (a.buffer != r.buffer || extents.empty()) continue;
      b.shape = extents;
      if (strides.size() == extents.size() && strides.size() >= 2)  // padding is allocated too
        b.shape.back() = std::max(b.shape.back(), strides[strides.size() - 2]);
      b.stages = stagesOf(m, a);
    }
    for (const ir::Parameter& p : text_.function->params)
      if (p.buffer && p.buffer->name == b.name) b.shape = extentsOf(p.buffer);
    if (b.level == MemoryLevel::kRegisters) b.perThread = r.bytes / r.holders;
    if (b.level != MemoryLevel::kGlobal) life(m, r, b);
    if (const auto found = declared_.find(b.name); found != declared_.end()) asDeclared(b, found->second);
    if (b.level == MemoryLevel::kShared) {
      for (std::size_t i = 0; i < m.accesses.accesses.size(); ++i)
        if (m.accesses.accesses[i].buffer == r.buffer && m.count.accesses[i].counted)
          b.ways = std::max(b.ways, m.count.accesses[i].most);
    }
    b.ids = ids_[b.name];
    if (r.reuse && r.reuse->value > 0) view_.reuse.push_back({b.name, r.reuse->value, r.reuse->how});
    view_.buffers.push_back(std::move(b));
  }

  void sharing(const device::Kernel& k) {
    for (const device::SharedRegion& region : k.sharedRegions()) {
      view_.sharedBytes += double(region.bytes);
      if (region.allocations.size() == 1) continue;
      MemorySharing& all = view_.sharing.emplace_back();
      all.bytes = double(region.bytes);
      for (const device::Allocation* a : region.allocations) {
        all.buffers.push_back(a->buffer->name);
        for (MemoryBuffer& b : view_.buffers) {
          if (b.name != a->buffer->name || b.level != MemoryLevel::kShared) continue;
          for (const device::Allocation* other : region.allocations)
            if (other != a && a->meets(*other)) b.sharing.push_back(other->buffer->name);
        }
      }
    }
  }

  // Versions that statements in a pipelined loop choose among, or that asynchronous copies fill where no loop is left
  // of it; those of virtual threads are no stages.
  static int stagesOf(const model::KernelModel& m, const device::Allocation& allocation) {
    std::int64_t versions = 1;
    for (const std::int64_t v : allocation.versions) versions *= v;
    const auto inPipeline = [&](const model::Access& a) {
      if (a.buffer != allocation.buffer) return false;
      return (a.write && a.completes) || std::ranges::any_of(a.loops, [&](int l) {
               const device::StmtNode* loop = m.accesses.loops[std::size_t(l)].statement;
               return static_cast<const device::LoopNode*>(loop)->pipelined;
             });
    };
    return versions > 1 && std::ranges::any_of(m.accesses.accesses, inPipeline) ? int(versions) : 1;
  }

  // The loops around all accesses of a buffer: each of their iterations begins its life anew.
  void life(const model::KernelModel& m, const model::BufferLifetime& r, MemoryBuffer& b) {
    const auto accesses = double(m.accesses.accesses.size());
    if (r.first >= 0) {
      b.begins = double(r.first) / accesses;
      b.ends = double(r.last + 1) / accesses;
    }
    std::optional<std::vector<int>> common;
    for (const model::Access& a : m.accesses.accesses) {
      if (a.buffer != r.buffer) continue;
      if (!common) {
        common = a.loops;
        continue;
      }
      auto end = std::mismatch(common->begin(), common->end(), a.loops.begin(), a.loops.end()).first;
      common->erase(end, common->end());
    }
    if (!common) return;
    for (int loop : *common) {
      const model::LoopInfo& info = m.accesses.loops[std::size_t(loop)];
      b.lives *= double(info.extent);
      b.life = info.var->name;
    }
  }

  MemoryTraffic& link(MemoryLevel from, MemoryLevel to, int column, const Message& how) {
    for (MemoryTraffic& t : view_.traffic)
      if (t.from == from && t.to == to && t.column == column) return t;
    MemoryTraffic& t = view_.traffic.emplace_back();
    t.from = from, t.to = to, t.column = column, t.how = how;
    return t;
  }

  static void add(MemoryTraffic& t, double bytes, ir::Id id) {
    t.bytes += bytes;
    if (id && std::find(t.ids.begin(), t.ids.end(), id) == t.ids.end()) t.ids.push_back(id);
  }

  static void addRoute(MemoryTraffic& t, const model::Access& a, device::Agent agent) {
    if (a.statement->kind == device::StmtKind::Operation) {
      const std::string name(static_cast<const device::OperationNode*>(a.statement)->row->name);
      if (!std::ranges::count(t.by, name)) t.by.push_back(name);
    }
    if (agent != device::Agent::Threads) t.agent = agent;
    t.throughRegisters |= t.from == MemoryLevel::kL2 && t.to == MemoryLevel::kShared && agent == device::Agent::Threads;
  }

  // Of what block 0 reads of the slices of a cluster's blocks, the share that others have; 0 where it isn't known.
  static double shareOfOthers(const model::KernelAccesses& k, const model::Access& access) {
    const auto cluster = model::clusterCopies(k, access, 0);
    double all = 0, own = 0;
    if (cluster)
      for (const model::ClusterPart& p : cluster->parts)
        if (p.receivers & 1) all += 1, own += p.rank == 0;
    return all > 0 ? (all - own) / all : 0;
  }

  void traffic(const model::KernelModel& m) {
    const Message written = message("bytes that the lanes of all warps ask for, as the statements are written");
    const auto& all = m.accesses.accesses;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const model::Access& a = all[i];
      const double bytes = m.count.accesses[i].bytes;
      const std::optional<model::Route> route = model::routeOf(m.accesses, a);
      if (!route) continue;
      MemoryTraffic& t =
          link(model::levelOf(route->from), model::levelOf(route->to), columnOf(a.buffer->name), written);
      add(t, bytes, a.block);
      addRoute(t, a, route->agent);
      if (a.inBlock && !a.write) t.fromOthers += bytes / double(view_.blocks) * shareOfOthers(m.accesses, a);
      if (a.statement->kind == device::StmtKind::Operation)
        t.byOthers += bytes / double(view_.blocks) *
                      (device::blocksThatGet(*static_cast<const device::OperationNode*>(a.statement)) - 1);
    }
    for (const model::BufferLifetime& r : m.hierarchy.residents) {
      if (r.memory != Memory::Global || !r.gridFootprint) continue;
      const int column = columnOf(r.buffer->name);
      if (r.read > 0 && !r.own)
        add(link(MemoryLevel::kGlobal, MemoryLevel::kL2, column,
                 message("each distinct byte once: what must come at least")),
            r.gridFootprint->value, {});
      if (r.written > 0)
        add(link(MemoryLevel::kL2, MemoryLevel::kGlobal, column,
                 message("each distinct byte once: what must be kept at least")),
            r.gridFootprint->value, {});
    }
    for (std::size_t i = 0; i < m.accesses.work.size(); ++i) {
      const model::Work& w = m.accesses.work[i];
      if (w.tensorFlops <= 0) continue;
      const double times = m.count.work[i].executions / model::warpsTogether(*w.product);
      // What it takes from memory by itself is an access with a route of its own.
      for (const device::OperandRow& operand : w.product->row->operands) {
        if (operand.inMemory()) continue;
        const ir::Buffer& f = device::placeOf(*w.product, operand.name)->buffer;
        const MemoryLevel r = MemoryLevel::kRegisters, t = MemoryLevel::kTensorCore;
        const bool in = !operand.written();
        add(link(in ? r : t, in ? t : r, columnOf(f->name),
                 message("operands and accumulator of each tile product, once each")),
            times * model::tileBytes(*w.product, operand.name), w.block);
      }
      view_.tiles += times / double(view_.blocks);
    }
    for (MemoryTraffic& t : view_.traffic) t.perBlock = t.bytes / double(view_.blocks);
  }

  // Of the mbarriers who waits for whom, and how much lands.
  void mbarriers(const model::KernelModel& m) {
    const device::Kernel& k = *m.accesses.kernel;
    const std::vector<model::WarpRole> roles = model::rolesOf(k);
    const auto warpsOf = [&](const std::vector<int>& of) {
      std::vector<int> warps;
      for (int r : of)
        warps.insert(warps.end(), roles[std::size_t(r)].warps.begin(), roles[std::size_t(r)].warps.end());
      std::ranges::sort(warps);
      return warps;
    };
    for (const model::MbarrierUse& use : model::mbarriersOf(k, roles)) {
      const device::Mbarrier& row = k.mbarriers[std::size_t(use.number)];
      MemoryMbarrier b;
      b.name = row.buffer->name;
      b.slots = row.slots, b.arrivals = row.arrivals;
      b.bytes = double(use.bytes);
      for (const ir::Buffer& f : use.filled) b.filled.push_back(f->name);
      double landed = 0;  // in the life of a block
      for (std::size_t i = 0; i < m.accesses.accesses.size(); ++i) {
        const model::Access& a = m.accesses.accesses[i];
        if (!a.write || a.statement->kind != device::StmtKind::Operation) continue;
        const auto& copy = *static_cast<const device::OperationNode*>(a.statement);
        if (copy.barrier == use.number)  // as many blocks of a cluster bring parts as get one
          landed += m.count.accesses[i].bytes / double(view_.blocks) * device::blocksThatGet(copy);
      }
      if (b.bytes > 0) b.phases = landed / b.bytes;
      b.waiting = warpsOf(use.waiting), b.arriving = warpsOf(use.arriving);
      b.ofCluster = use.ofCluster, b.fedByCluster = use.fedByCluster;
      view_.mbarriers.push_back(std::move(b));
    }
    for (MemoryBuffer& b : view_.buffers)
      b.forSync = std::ranges::any_of(view_.mbarriers, [&](const MemoryMbarrier& of) { return of.name == b.name; });
  }

  // As the program has them; the k step is the timeline's, so that all panels mean one loop.
  void barriers(const model::KernelModel& m) {
    MemoryBarriers& all = view_.barriers;
    // The meetings that only tell that mbarriers are made, or slices read, stand in no loop.
    device::forEach(m.accesses.kernel->body, [&](const device::Stmt& s) {
      if (s->kind == device::StmtKind::Sync && device::as<device::SyncNode>(s)->token == device::Token::ClusterBarrier)
        ++all.ofCluster;
      return true;
    });
    int step = -1;
    if (m.timeline && m.timeline->step >= 0) step = m.timeline->items[std::size_t(m.timeline->step)].loop;
    for (const model::BarrierInfo& b : m.accesses.barriers) {
      if (b.statement->token == device::Token::ClusterExchange) {
        all.ofCluster += b.perBlock;
        continue;
      }
      all.used = 1;
      ++all.written;
      double inside = 0;
      for (int l : b.loops) {
        inside *= double(m.accesses.loops[std::size_t(l)].extent);
        if (l == step) inside = 1;
      }
      all.sometimes |= b.conditional();
      all.perBlock += b.perBlock;
      all.perStep += inside;
    }
    if (all.perStep > 0) all.step = m.accesses.loops[std::size_t(step)].var->name;
  }

  void budgets(const model::KernelModel& m) {
    if (!m.occupancy) {
      view_.deviceProblem = m.occupancy.error().message;
      return;
    }
    const model::Occupancy& o = *m.occupancy;
    auto has = [&](model::Quantity q) { return device_->value(q).value_or(0); };
    using model::Limiter;
    view_.budgets = {
        {Limiter::Shared, double(o.sharedPerBlock), has(model::Quantity::SharedPerMultiprocessor), o.byShared},
        {Limiter::Registers, double(o.registersPerBlock), has(model::Quantity::RegistersPerMultiprocessor),
         m.registersKnown ? o.byRegisters : -1},
        {Limiter::Threads, double(view_.threads), has(model::Quantity::ThreadsPerMultiprocessor), o.byThreads},
        {Limiter::Blocks, 1, has(model::Quantity::BlocksPerMultiprocessor), o.byBlocks}};
    for (MemoryBudget& b : view_.budgets) b.limits = b.resource == o.limiter || b.fits == o.blocks;
    view_.budgets.front().reserved = has(model::Quantity::SharedReserve);
    view_.blocksFit = o.blocks;
    view_.occupancy = o.fraction();
    view_.multiprocessors = int(has(model::Quantity::Multiprocessors));
    if (view_.multiprocessors <= 0) return;
    view_.idle = int(std::max<std::int64_t>(0, view_.multiprocessors - view_.blocks));
    view_.blocksRun = std::min(double(o.blocks), std::ceil(double(view_.blocks) / view_.multiprocessors));
  }

  const document::KernelText& text_;
  const model::Device* device_;
  std::vector<std::string> parameters_;
  std::map<std::string, std::vector<ir::Id>> ids_;
  std::map<std::string, ir::Buffer> declared_;
  MemoryView view_;
};

}  // namespace

bool MemoryView::readsBoxes() const {
  return std::ranges::any_of(traffic, [](const MemoryTraffic& t) {
    return t.agent == device::Agent::CopyEngine && t.to == MemoryLevel::kShared;
  });
}

const MemoryBuffer* MemoryView::find(const std::string& name, MemoryLevel level) const {
  for (const MemoryBuffer& b : buffers)
    if (b.name == name && b.level == level) return &b;
  return nullptr;
}

const MemoryTraffic* MemoryView::find(MemoryLevel from, MemoryLevel to, int column) const {
  for (const MemoryTraffic& t : traffic)
    if (t.from == from && t.to == to && t.column == column) return &t;
  return nullptr;
}

MemoryView memoryView(const document::KernelText& text, const model::Device* device, const model::KernelModel* model,
                      const compile::KernelResources* resources) {
  return Maker(text, device).make(model, resources);
}

const MemoryView& memoryOf(const StateModel& model) {
  return model.views.get<MemoryView>([&] {
    MemoryView view = memoryView(*model.text, model.device ? &*model.device : nullptr, model.kernel.get(),
                                 model.resources ? &*model.resources : nullptr);
    if (!model.device) view.deviceProblem = model.deviceProblem;
    return view;
  });
}

}  // namespace loom::session
