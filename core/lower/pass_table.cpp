#include "core/lower/pass_table.h"

#include "core/device/operation.h"
#include "core/device/verify.h"
#include "core/lower/annotations.h"
#include "core/lower/bulk_rows.h"
#include "core/lower/cluster_slices.h"
#include "core/lower/clusters.h"
#include "core/lower/copy_engine.h"
#include "core/lower/device_passes.h"
#include "core/lower/launch.h"
#include "core/lower/loads_before_barriers.h"
#include "core/lower/over_ring.h"
#include "core/lower/packed_bytes.h"
#include "core/lower/passes.h"
#include "core/lower/products.h"
#include "core/lower/proxy_fences.h"
#include "core/lower/resident_blocks.h"
#include "core/lower/ring_sizes.h"
#include "core/lower/roles.h"
#include "core/lower/serpentine.h"
#include "core/lower/swizzle.h"
#include "core/lower/turns.h"

namespace loom::lower {
namespace {

using Over = Pass::Over;
namespace form = device::form;

// Passes over kernels drop what does nothing; a kernel of which nothing is left keeps an empty body.
void setBody(Lowering& l, device::Stmt body) {
  l.kernel.kernel.body = body ? std::move(body) : std::make_shared<device::SeqNode>();
}

Result<void> shareSums(Lowering& l, ir::Stmt& s) {
  auto shared = reduceAcrossThreads(s, l.limits, l.use == Lowering::For::Draft, l.symbols);
  if (!shared) return Failure(shared.error());
  l.sharesSums = *shared != s;
  s = *shared;
  return {};
}

Result<void> narrow(Lowering& l, ir::Stmt& s) {
  NarrowIndices narrow = narrowIndices(s);
  s = narrow.body;
  for (auto& [source, flat] : l.globals)
    if (auto after = narrow.buffers.find(source.get()); after != narrow.buffers.end()) source = after->second;
  return {};
}

Result<void> compact(Lowering& l, ir::Stmt& s) {
  auto compact = compactBuffers(s, l.symbols);
  if (!compact) return Failure(compact.error());
  s = *compact;
  return {};
}

// Programs that are no kernels yet keep what their warps hold together.
Result<void> registersOfLanes(Lowering& l, ir::Stmt& s) {
  auto own = warpRegisters(s, l.symbols, l.program.remarks);
  if (own) s = *own;
  return own || l.use != Lowering::For::Kernels ? Result<void>() : Failure(own.error());
}

Result<void> convertNest(Lowering& l, ir::Stmt& s) {
  auto converted = convert(s, l.name, l.globals, l.limits, l.use == Lowering::For::Draft, l.symbols);
  if (!converted) return Failure(converted.error());
  l.kernel = std::move(*converted);
  l.kernel.kernel.draft = l.use == Lowering::For::Draft;
  return {};
}

void note(Lowering& l, std::vector<device::Remark> remarks) {
  for (device::Remark& r : remarks) device::addRemark(l.kernel.remarks, std::move(r));
}

Result<void> vectorize(Lowering& l, ir::Stmt&) {
  note(l, vectorizeLoops(l.kernel.kernel, l.symbols));
  setBody(l, l.kernel.kernel.body);
  return {};
}

// Arrays share bytes in tensor cores' kernels alone: those of CUDA cores have fewer blocks by their registers, and
// would only meet once more.
Result<void> reuseMemory(Lowering& l, ir::Stmt&) {
  bool multiplies = false;
  device::forEach(l.kernel.kernel.body, [&](const device::Stmt& s) {
    multiplies |= s->kind == device::StmtKind::Operation && device::as<device::OperationNode>(s)->row->multiplies();
    return !multiplies;
  });
  findPhases(l.kernel.kernel, multiplies);
  return {};
}

Result<void> barriers(Lowering& l, ir::Stmt&) {
  auto synchronized = placeBarriers(l.kernel.kernel, l.symbols);
  if (!synchronized) return Failure(synchronized.error());
  setBody(l, withProxyFences(*synchronized));
  return {};
}

Result<void> plan(Lowering& l, ir::Stmt&) {
  planSharedMemory(l.kernel.kernel);
  return checkMemory(l.kernel.kernel, l.limits);
}

Result<void> overlap(Lowering& l, ir::Stmt&) {
  auto overlapped = overlapLoops(l.kernel.kernel);
  if (!overlapped) return Failure(overlapped.error());
  note(l, std::move(*overlapped));
  setBody(l, l.kernel.kernel.body);
  return {};
}

Result<void> copiesPastRegisters(Lowering& l, ir::Stmt&) {
  note(l, startCopies(l.kernel.kernel));
  setBody(l, l.kernel.kernel.body);
  return {};
}

constexpr std::string_view kAligned[] = {kDimAlign}, kDivided[] = {kLocalStage},
                           kSwizzled[] = {kSwizzle, kPermutedLayout}, kDoubled[] = {kDoubleBuffer, kSlots, kOverRing},
                           kNeighbours[] = {kClusterX, kClusterY}, kEngine[] = {kCopy, kEvict, kMulticast},
                           kRows[] = {kCopy, kEvict}, kStarted[] = {kInFlight, kRole, kThreadRegisters, kTurns, kEarly},
                           kOrdered[] = {kSerpentine}, kResident[] = {kMinBlocks},
                           kOverlapped[] = {kStage, kOrder, kAsyncStages, kUnrollStages},
                           kUnrolled[] = {kUnrollSteps, kUnrollExplicit};

constexpr Pass kPasses[] = {
    {"drop_assumptions", Over::Program, "a function's body", "no T.assume", 0,
     [](Lowering&, ir::Stmt& s) { return s = dropAssumptions(s), Result<void>(); }},
    {"resolve_aliases", Over::Program, "a function's body", "one buffer for each memory", 0,
     [](Lowering& l, ir::Stmt& s) { return s = resolveAliases(s, l.function->params), Result<void>(); }},
    {"cross_thread_reduction", Over::Program, "T.init in blocks", "no sum over threads but by shuffles", 0, shareSums},
    {"init", Over::Program, "T.init in blocks", "conditions on the first iteration instead", 0,
     [](Lowering&, ir::Stmt& s) { return s = lowerInit(s), Result<void>(); }},
    {"orders", Over::Program, "blocks with iterators", "tileloom.order only where any order gives the same bits", 0,
     [](Lowering&, ir::Stmt& s) { return checkOrders(s); }, kOrdered},
    {"bind_iterators", Over::Program, "blocks with iterators", "blocks as markers, their iterators' values in place", 0,
     [](Lowering& l, ir::Stmt& s) { return s = bindIterators(s, l.keepsRegions), Result<void>(); }},
    {"element_calls", Over::Program, "no iterators", "no call that stands for loops over elements", 0,
     [](Lowering&, ir::Stmt& s) -> Result<void> {
       auto loops = elementCalls(s);
       if (!loops) return Failure(loops.error());
       s = *loops;
       return {};
     }},
    {"narrow_indices", Over::Program, "no iterators", "indices of 32 bits where they fit", 0, narrow},
    {"lay_out_allocations", Over::Program, "allocations as declared", "each lies row by row, from its first element on",
     0, [](Lowering&, ir::Stmt& s) { return s = layOutAllocations(s), Result<void>(); }},
    {"place_allocations", Over::Nest, "the statements of one kernel", "allocations innermost around their uses", 0,
     [](Lowering& l, ir::Stmt& s) { return s = placeAllocations(s, l.allocations), Result<void>(); }},
    {"local_stages", Over::Nest, "allocations in their places", "copies to shared memory divided as annotated", 0,
     [](Lowering&, ir::Stmt& s) -> Result<void> {
       auto divided = localStages(s);
       if (!divided) return Failure(divided.error());
       s = *divided;
       return {};
     },
     kDivided},
    {"compact_buffers", Over::Nest, "allocations in their places", "buffers as large as what is used of them", 0,
     compact, kAligned},
    {"resolve_views", Over::Nest, "compact buffers", "no match_buffer; indices of 32 bits where they fit", 0,
     [](Lowering&, ir::Stmt& s) { return s = narrowIndices(resolveViews(s)).body, Result<void>(); }},
    {"simplify", Over::Nest, "no views",
     "simplified expressions, no dead condition, no loop of one iteration but as a statement of a pipeline", 0,
     [](Lowering& l, ir::Stmt& s) { return s = simplify(s, l.symbols), Result<void>(); }},
    {"warp_registers",
     Over::Nest,
     "simplified indices",
     "what lanes hold together as arrays of each lane",
     0,
     registersOfLanes,
     {},
     {},
     true},
    {"convert", Over::Kernel, "one nest, compact, without views", "device statements by coordinates; loops with uses",
     0, convertNest},
    {"clusters", Over::Kernel, "the grid's extents", "blocks that run together, as annotated", 0,
     [](Lowering& l, ir::Stmt&) { return formClusters(l.kernel.kernel); }, kNeighbours},
    {"cluster_slices", Over::Kernel, "buffers of clusters as the program indexes them",
     "a slice of each in every block of a cluster along blockIdx.z", 0,
     [](Lowering& l, ir::Stmt&) { return sliceBuffers(l.kernel.kernel); }},
    {"copy_engine", Over::Kernel, "copies as loops over elements", "boxes that the copy engine moves, as annotated", 0,
     [](Lowering& l, ir::Stmt&) { return useCopyEngine(l.kernel.kernel); }, kEngine},
    {"bulk_rows", Over::Kernel, "copies as loops over elements", "rows that the copy engine stores, as annotated", 0,
     [](Lowering& l, ir::Stmt&) { return storeRows(l.kernel.kernel); }, kRows},
    {"pipeline", Over::Kernel, "loops that say how their iterations overlap",
     "the first iterations, a loop, and the last ones; versions of the buffers between stages", form::kNoOverlap,
     overlap, kDoubled, kOverlapped},
    {"vectorize", Over::Kernel, "accesses by coordinates", "vectors of at most 16 bytes; no loop is lanes",
     form::kNoLanes, vectorize},
    {"async_copies", Over::Kernel, "vectors; stores that are only to be started",
     "copies past registers where GPUs have them", form::kNoPromises, copiesPastRegisters},
    {"virtual_threads", Over::Kernel, "no loop is lanes", "virtual threads interleaved, with versions of their memory",
     form::kNoVirtual,
     [](Lowering& l, ir::Stmt&) {
       interleaveVirtualThreads(l.kernel.kernel);
       return setBody(l, l.kernel.kernel.body), Result<void>();
     }},
    {"products", Over::Kernel, "products of warpgroups, each by itself", "groups of products, and waits for them", 0,
     [](Lowering& l, ir::Stmt&) -> Result<void> {
       auto remarks = groupProducts(l.kernel.kernel);
       if (!remarks) return Failure(remarks.error());
       note(l, std::move(*remarks));
       return {};
     },
     kStarted},
    {"reuse_shared_memory", Over::Kernel, "one thread's order of statements",
     "parts of the kernel in which buffers are in use that share bytes", 0, reuseMemory},
    {"barriers", Over::Kernel, "one thread's order of statements", "barriers where threads meet", form::kOrdered,
     barriers},
    {"guards", Over::Kernel, "statements that know which axes don't cover them", "conditions instead", form::kGuarded,
     [](Lowering& l, ir::Stmt&) { return setBody(l, placeGuards(l.kernel.kernel)), Result<void>(); }},
    {"hoist_conditions", Over::Kernel, "conditions in their places",
     "those that are the same in all turns of a loop outside of it", 0,
     [](Lowering& l, ir::Stmt&) { return setBody(l, hoistConditions(l.kernel.kernel)), Result<void>(); }},
    {"unroll", Over::Kernel, "all of a kernel's statements", "loops unrolled as their annotations ask", 0,
     [](Lowering& l, ir::Stmt&) {
       auto unrolled = unrollLoops(l.kernel.kernel);
       if (unrolled) setBody(l, l.kernel.kernel.body);
       return unrolled;
     },
     kUnrolled, kUnrolled},
    {"loads_before_barriers", Over::Kernel, "barriers and loops as they stay",
     "loads of copies through registers before the barrier, where that is faster", 0,
     [](Lowering& l, ir::Stmt&) { return loadBeforeBarriers(l.kernel.kernel), Result<void>(); }},
    {"store_padded_once", Over::Kernel, "vectors that a branch copies or sets to 0", "one store of what is chosen", 0,
     [](Lowering& l, ir::Stmt&) { return setBody(l, storePaddedOnce(l.kernel.kernel.body)), Result<void>(); }},
    {"swizzle", Over::Kernel, "accesses by coordinates",
     "layouts of shared memory as tileloom.swizzle and permuted_layout ask", 0,
     [](Lowering& l, ir::Stmt&) -> Result<void> {
       if (auto swizzled = swizzleBuffers(l.kernel.kernel); !swizzled) return swizzled;
       auto permuted = permuteLayouts(l.kernel.kernel);
       if (!permuted) return Failure(permuted.error());
       note(l, std::move(*permuted));
       return {};
     },
     kSwizzled},
    {"flatten", Over::Kernel, "accesses by coordinates", "flat buffers, accesses by the number of the element",
     form::kFlat,
     [](Lowering& l, ir::Stmt&) {
       flatten(l.kernel.kernel, l.kernel.flat, l.symbols);
       return setBody(l, l.kernel.kernel.body), Result<void>();
     }},
    {"pack_bytes", Over::Kernel, "flat buffers", "buffers of bytes where elements share them", 0,
     [](Lowering& l, ir::Stmt&) {
       auto packed = packBytes(l.kernel, l.function->params);
       setBody(l, l.kernel.kernel.body);
       return packed;
     }},
    {"serpentine", Over::Kernel, "simplified numbers of elements", "rows of two iterations that go forth and back", 0,
     [](Lowering& l, ir::Stmt&) { return setBody(l, serpentineRows(l.kernel.kernel)), Result<void>(); }},
    {"plan_shared_memory", Over::Kernel, "layouts and versions of allocations", "each buffer's place in shared memory",
     form::kPlanned, plan},
    {"resident_blocks", Over::Kernel, "shared memory planned", "tileloom.min_blocks where so many blocks fit", 0,
     [](Lowering& l, ir::Stmt&) { return checkResidentBlocks(l.kernel.kernel); }, kResident},
};

}  // namespace

std::span<const Pass> passes() { return kPasses; }

}  // namespace loom::lower
