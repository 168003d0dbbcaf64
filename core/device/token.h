// The kinds of events by which threads are synchronized: barriers, groups of asynchronous copies and products, and
// mbarriers. Each kind, a token, has a row with all that printing, code generation, the executor and the models know of
// it. A new kind needs an enumerator, its row, and a pass that places the statements which signal it and wait for it.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "core/intrin/intrinsic.h"

namespace loom::device {

using Group = intrin::ExecutionGroup;

// The kinds of events that statements signal and wait for.
enum class Token : std::uint8_t {
  BlockBarrier,  // completed by the arrival of all threads of the block, which then see each other's writes
  // Counts groups of copies that a thread has started: completed when they have landed. The thread alone then sees what
  // they wrote.
  AsyncCopies,
  // Counts groups of products that a warpgroup has started (wgmma): completed when they have read their factors and
  // written their sums. Its row also has the statements on a warpgroup's registers, which wait for nothing.
  Products,
  // The phases of an mbarrier (device::Mbarrier): a phase is completed when as many threads have arrived as the
  // mbarrier counts, and all bytes that they announced have landed. Every thread that has waited sees what was written.
  Transfers,
  // Counts groups of copies from shared memory that a thread has given to the copy engine (TMA): completed when the
  // copies have read their sources, so that these may be written again.
  BulkStores,
  WarpBarrier,  // completed by the arrival of all lanes of the warp, which then see each other's writes
  // Completed by the arrival of all threads of the cluster (Kernel::cluster). The threads then see that each other's
  // mbarriers are initialised, but no other writes.
  ClusterBarrier,
  // Completed by the arrival of all threads of the cluster, which then see each other's writes, also those to shared
  // memory.
  ClusterExchange,
};

// What a statement on a token does.
enum class SyncDoes : std::uint8_t {
  Wait,            // waits until the token is completed; at a barrier, also arrives
  Commit,          // makes a group, which the token counts, of what the thread has started since its last commit
  Fence,           // orders the thread's earlier writes before the asynchronous operations that it starts next
  Initialise,      // initialises the slots of an mbarrier array, before any thread uses them
  Expect,          // arrives at an mbarrier, and announces the number of bytes that are to land
  Arrive,          // arrives at an mbarrier
  FewerRegisters,  // releases registers for other warps of the block, down to `allow` per thread
  MoreRegisters,   // takes registers that other warps have released, up to `allow` per thread
};
inline constexpr std::size_t kSyncDoes = 6;  // room for the statements of one token, of which none has all

// The texts of a statement on a token: `text` in CUDA, and `print` in printed device programs, without the end of the
// line. Names in braces stand for members of SyncNode (program.h): {allow}, {bytes}, {barrier} (the array of the
// mbarriers), {slot}, {slots}, {arrivals}; {phases}, a variable of the thread with a bit for each slot, of which there
// may be 32, which is the parity of the phase that the thread waits for next; {phase}, the number of the phase to wait
// for, from 0; {target}, the block of the cluster whose mbarrier is meant.
struct SyncTexts {
  SyncDoes does = SyncDoes::Wait;
  std::string_view text, print;
};

// The description of a token.
struct TokenRow {
  Token token = Token::BlockBarrier;
  Group group = Group::Thread;  // the threads that execute the statements on the token together
  // True for a barrier: the arrival of the whole group completes the token, and the wait is also the arrival. False for
  // a token that other statements complete, and for which each thread waits by itself.
  bool byArrival = false;
  // True where a thread that has waited sees what all threads wrote or started; false where it sees only what it
  // started itself, for the barrier of the warp, after which it sees what the lanes of its warp wrote, and for
  // ClusterBarrier.
  bool forAll = false;
  // True where the end of a wait means only that the asynchronous operations have read their sources, which may be
  // written again; false where it means that they have written their targets, too.
  bool ofSources = false;
  // The statements that there are on the token; entries that aren't used have an empty `text`.
  std::array<SyncTexts, kSyncDoes> statements;
  std::string_view preamble;  // lines that a CUDA text begins with where a statement on the token stands in it
  // The texts of a wait for the phase with a given number (SyncNode::phase), in place of the wait in `statements` (an
  // empty `text`: there is no such wait); and the lines that a CUDA text with such a wait begins with, besides
  // `preamble`.
  SyncTexts ofPhase = {};
  std::string_view preambleOfPhase = {};
  // The texts of an arrival at another block's mbarrier (SyncNode::target), in place of the arrival in `statements` (an
  // empty `text`: there is none); and the lines that a CUDA text with such an arrival begins with, besides `preamble`.
  SyncTexts ofTarget = {};
  std::string_view preambleOfTarget = {};
  // Returns whether a thread that has waited counts, from then on, as the writer of what landed: others see it behind a
  // barrier.
  constexpr bool landsAsOwn() const { return !byArrival && !forAll && !ofSources; }
  // Returns the texts of a statement on the token; null if no statement does this.
  constexpr const SyncTexts* find(SyncDoes does) const {
    for (const SyncTexts& s : statements)
      if (s.does == does && !s.text.empty()) return &s;
    return nullptr;
  }
};

// The rows of all tokens, in the order of the enumerators.
inline constexpr std::array kTokens{
    TokenRow{
        Token::BlockBarrier, Group::Block, true, true, false, {{{SyncDoes::Wait, "__syncthreads();", "barrier"}}}, ""},
    // PTX ISA, cp.async.commit_group and cp.async.wait_group: of the executing thread's groups all but the latest
    // `allow` have landed.
    TokenRow{Token::AsyncCopies,
             Group::Thread,
             false,
             false,
             false,
             {{{SyncDoes::Wait, "cp_async_wait<{allow}>();", "wait for copies, all but the latest {allow} groups"},
               {SyncDoes::Commit, "cp_async_commit();", "commit copies"}}},
             "__device__ __forceinline__ void cp_async_commit() { asm volatile(\"cp.async.commit_group;\" ::: "
             "\"memory\"); }\n"
             "template <int kAllow>\n"
             "__device__ __forceinline__ void cp_async_wait() {\n"
             "  asm volatile(\"cp.async.wait_group %0;\" ::\"n\"(kAllow) : \"memory\");\n"
             "}\n"},
    // PTX ISA, wgmma.fence, wgmma.commit_group and wgmma.wait_group.
    TokenRow{Token::Products,
             Group::Warpgroup,
             false,
             false,
             false,
             {{{SyncDoes::Wait, "wgmma_wait<{allow}>();", "wait for products, all but the latest {allow} groups"},
               {SyncDoes::Commit, "wgmma_commit();", "commit products"},
               {SyncDoes::Fence, "wgmma_fence();", "fence of registers for products"},
               {SyncDoes::FewerRegisters, "registers_fewer<{allow}>();", "keep {allow} registers"},
               {SyncDoes::MoreRegisters, "registers_more<{allow}>();", "take registers up to {allow}"}}},
             "__device__ __forceinline__ void wgmma_fence() { asm volatile(\"wgmma.fence.sync.aligned;\" ::: "
             "\"memory\"); }\n"
             "__device__ __forceinline__ void wgmma_commit() { asm volatile(\"wgmma.commit_group.sync.aligned;\" ::: "
             "\"memory\"); }\n"
             "template <int kCount>\n"
             "__device__ __forceinline__ void registers_fewer() { asm volatile(\"setmaxnreg.dec.sync.aligned.u32 "
             "%0;\" ::\"n\"(kCount)); }\n"
             "template <int kCount>\n"
             "__device__ __forceinline__ void registers_more() { asm volatile(\"setmaxnreg.inc.sync.aligned.u32 "
             "%0;\" ::\"n\"(kCount)); }\n"
             "template <int kAllow>\n"
             "__device__ __forceinline__ void wgmma_wait() {\n"
             "  asm volatile(\"wgmma.wait_group.sync.aligned %0;\" ::\"n\"(kAllow) : \"memory\");\n"
             "}\n"
             // PTX ISA, "Matrix descriptor" of wgmma: bits 0–13 the address, 16–29 the distance of slabs, 32–45 that of
             // groups of 8 lines, each without its last four bits; 62–63 the swizzle.
             "// Where a factor begins in shared memory, in lines of kSwizzle bytes, as 16-byte units; slabs of such "
             "lines lie\n"
             "// `slab` elements apart. What is `known` when the code is compiled is added to what is computed once.\n"
             "template <int kSwizzle, typename T>\n"
             "__device__ __forceinline__ unsigned long long wgmma_descriptor(const T* shared, int moving, int known, "
             "int slab) "
             "{\n"
             "  constexpr unsigned kSize = sizeof(T), kMode = kSwizzle == 128 ? 1 : kSwizzle == 64 ? 2 : 3;\n"
             "  const unsigned at = (unsigned(__cvta_generic_to_shared(shared)) & 0x3FFFF) >> 4;\n"
             "  const unsigned low = (at | (slab * kSize & 0x3FFFF) >> 4 << 16) + moving * kSize / 16 + known * kSize "
             "/ 16;\n"
             "  return (unsigned long long)(kSwizzle * 8 >> 4 | kMode << 30) << 32 | low;\n"
             "}\n"},
    // PTX ISA, mbarrier.init, .arrive, .arrive.expect_tx and .try_wait.parity; fence.proxy.async.
    TokenRow{
        Token::Transfers,
        Group::Thread,
        false,
        true,
        false,
        {{{SyncDoes::Wait, "mbarrier_wait({barrier}, {slot}, {phases});", "wait for {barrier}[{slot}]"},
          {SyncDoes::Fence, "fence_proxy_async();", "fence for the copy engine"},
          {SyncDoes::Initialise, "mbarrier_init({barrier}, {slots}, {arrivals});",
           "initialise {barrier}: {slots} slots, {arrivals} arrivals"},
          {SyncDoes::Expect, "mbarrier_expect({barrier}, {slot}, {bytes});",
           "arrive at {barrier}[{slot}], {bytes} bytes to land"},
          {SyncDoes::Arrive, "mbarrier_arrive({barrier}, {slot});", "arrive at {barrier}[{slot}]"}}},
        "__device__ __forceinline__ unsigned mbarrier_at(const unsigned long long* barriers, int slot) {\n"
        "  return unsigned(__cvta_generic_to_shared(barriers)) + slot * 8u;\n"
        "}\n"
        "__device__ __forceinline__ void mbarrier_init(unsigned long long* barriers, int slots, int arrivals) {\n"
        "  for (int slot = 0; slot < slots; ++slot)\n"
        "    asm volatile(\"mbarrier.init.shared::cta.b64 [%0], %1;\" ::\"r\"(mbarrier_at(barriers, slot)), "
        "\"r\"(arrivals) : \"memory\");\n"
        "  asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n"
        "}\n"
        "__device__ __forceinline__ void mbarrier_expect(unsigned long long* barriers, int slot, unsigned bytes) "
        "{\n"
        "  asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\" "
        "::\"r\"(mbarrier_at(barriers, slot)), \"r\"(bytes) : \"memory\");\n"
        "}\n"
        "__device__ __forceinline__ void mbarrier_arrive(unsigned long long* barriers, int slot) {\n"
        "  asm volatile(\"mbarrier.arrive.shared::cta.b64 _, [%0];\" ::\"r\"(mbarrier_at(barriers, slot)) : "
        "\"memory\");\n"
        "}\n"
        "// Waits for the slot's next phase; each thread's `phases` has the parities that come next, a bit a slot.\n"
        "__device__ __forceinline__ void mbarrier_wait(const unsigned long long* barriers, int slot, unsigned& "
        "phases) {\n"
        "  const unsigned at = mbarrier_at(barriers, slot), parity = phases >> slot & 1;\n"
        "  phases ^= 1u << slot;\n"
        "  asm volatile(\"{\\n.reg .pred done;\\nwaiting:\\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], "
        "%1;\\n@!done bra waiting;\\n}\" ::\"r\"(at), \"r\"(parity) : \"memory\");\n"
        "}\n"
        "__device__ __forceinline__ void fence_proxy_async() { asm volatile(\"fence.proxy.async.shared::cta;\" ::: "
        "\"memory\"); }\n",
        {SyncDoes::Wait, "mbarrier_wait_phase({barrier}, {slot}, {phase});",
         "wait for phase {phase} of {barrier}[{slot}]"},
        "__device__ __forceinline__ void mbarrier_wait_phase(const unsigned long long* barriers, int slot, int phase) "
        "{\n"
        "  // The parity tells which phase is meant: it is the one at work, or the one before.\n"
        "  unsigned phases = unsigned(phase & 1) << slot;\n"
        "  mbarrier_wait(barriers, slot, phases);\n"
        "}\n",
        {SyncDoes::Arrive, "mbarrier_arrive_at({barrier}, {slot}, {target});",
         "arrive at {barrier}[{slot}] of block {target} of the cluster"},
        // PTX ISA, mapa: the same place in the shared memory of another block of the cluster.
        "__device__ __forceinline__ void mbarrier_arrive_at(const unsigned long long* barriers, int slot, int block) "
        "{\n"
        "  asm volatile(\"{\\n.reg .b32 there;\\nmapa.shared::cluster.u32 there, %0, %1;\\n\"\n"
        "               \"mbarrier.arrive.shared::cluster.b64 _, [there];\\n}\" ::\"r\"(mbarrier_at(barriers, slot)), "
        "\"r\"(block) : \"memory\");\n"
        "}\n"},
    // PTX ISA, cp.async.bulk.commit_group and cp.async.bulk.wait_group.read.
    TokenRow{Token::BulkStores,
             Group::Thread,
             false,
             false,
             true,
             {{{SyncDoes::Wait, "bulk_wait_read<{allow}>();",
                "wait until stores have read, all but the latest {allow} groups"},
               {SyncDoes::Commit, "bulk_commit();", "commit stores"}}},
             "__device__ __forceinline__ void bulk_commit() { asm volatile(\"cp.async.bulk.commit_group;\" ::: "
             "\"memory\"); }\n"
             "template <int kAllow>\n"
             "__device__ __forceinline__ void bulk_wait_read() {\n"
             "  asm volatile(\"cp.async.bulk.wait_group.read %0;\" ::\"n\"(kAllow) : \"memory\");\n"
             "}\n"},
    TokenRow{Token::WarpBarrier,
             Group::Warp,
             true,
             false,
             false,
             {{{SyncDoes::Wait, "__syncwarp();", "barrier of the warp"}}},
             ""},
    // PTX ISA, barrier.cluster: relaxed, since no data passes; what makes mbarriers known is the fence of their maker.
    TokenRow{Token::ClusterBarrier,
             Group::Cluster,
             true,
             false,
             false,
             {{{SyncDoes::Wait, "cluster_barrier();", "barrier of the cluster"}}},
             "__device__ __forceinline__ void cluster_barrier() {\n"
             "  asm volatile(\"barrier.cluster.arrive.relaxed.aligned;\\nbarrier.cluster.wait.aligned;\" ::: "
             "\"memory\");\n"
             "}\n"},
    // PTX ISA, barrier.cluster: arrivals release, the wait acquires.
    TokenRow{Token::ClusterExchange,
             Group::Cluster,
             true,
             true,
             false,
             {{{SyncDoes::Wait, "cluster_sync();", "barrier of the cluster, which sees what was written"}}},
             "__device__ __forceinline__ void cluster_sync() {\n"
             "  asm volatile(\"barrier.cluster.arrive.release.aligned;\\nbarrier.cluster.wait.acquire.aligned;\" ::: "
             "\"memory\");\n"
             "}\n"},
};
constexpr const TokenRow& rowOf(Token token) { return kTokens.at(std::size_t(token)); }

}  // namespace loom::device
