#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/model/device.h"

namespace loom::tune {

/// What a candidate (step lines that could be applied next) does so that copies from global to shared memory and the
/// products that use them overlap.
enum class PipelineMove : std::uint8_t {
  Overlap,       ///< annotates the loop over k, so that copies for the next iterations overlap this one's products
  Asynchronous,  ///< starts the copies and waits for them later, where threads would hold them in registers
  Slot,          ///< adds one slot to the ring buffer in shared memory: one more tile of each copied buffer
  Order,         ///< puts the products of an iteration of the pipeline before its copies, or the copies first
  Fragments,     ///< loads registers or fragments from shared memory an iteration before the products that use them
  Unroll,        ///< unrolls the pipelined loop by the number of slots of the ring buffer, or twice that
  Swizzle,       ///< permutes the 16-byte pieces of rows in shared memory, instead of padding rows
  MmaSync,       ///< uses ldmatrix and mma.sync in place of wmma's fragments
  Slices,        ///< has blocks of a cluster sum a part of k each, and combine the sums through their shared memory
  Ring,          ///< sets another number of slots of the ring buffer
  Warpgroups,    ///< uses TMA and wgmma in place of what multiplies now
  InFlight,      ///< keeps some wgmma products in flight while the next ones begin, or none any more
  Loaders,       ///< has producer warps that only load, or none any more
  Tile,          ///< sets another tile of a block: its rows, columns, or elements along k
  Registers,     ///< gives registers of producer warps to the warps that multiply, or the same number to all again
  Persistent,    ///< launches persistent blocks that compute one tile after another, or a block for each tile again
  Raster,        ///< computes the tiles in another order
  Staged,        ///< stores results by TMA through another number of slots in shared memory, or by threads again
  Turns,         ///< has warpgroups compute different tiles in turns, or one tile together again
  Early,         ///< starts the loads of the first tiles before everything else of the kernel, or no more
  Cluster,       ///< multicasts operand tiles to the blocks of a cluster that share them, or no more
};

/// Step lines that could be applied next, and the state that they lead to. A step line is a call of a scheduling
/// primitive, a state a program after some steps, and a history the tree of states made from one program. All lines
/// have been applied on trial and accepted. A candidate either appends lines to the queried state, or is an *edit*: it
/// replaces an earlier step and applies the later steps again.
struct CandidateStep {
  int at = 0;         ///< index in the history of the state that `lines` are applied to
  int edited = -1;    ///< for an edit: the state whose step is replaced, a child of `at`; otherwise -1
  std::string lines;  ///< all lines to apply, those after an edited step included
  std::string step;   ///< the lines that make this candidate different: all of `lines`, or an edit's replacing lines
  std::vector<std::string> primitives;  ///< primitives in `step`, each once; those that only look up names are left out
  std::vector<std::string> blocks;      ///< TensorIR blocks whose loops are changed, by name; empty for an edit: any
  schedule::State state;                ///< the state that `lines` lead to
  std::int64_t grid = 1, threads = 1;   ///< launch of `state`: thread blocks in all, and threads of each (countThreads)
  bool joint = false;                   ///< whether `lines` apply several candidates one after another
  std::vector<PipelineMove> moves{};    ///< its pipeline moves, in the enumeration's order; empty: it makes none
  int slots = 0;                        ///< with moves: slots of the ring buffer, each a tile of every copied buffer

  /// Returns whether `step` contains the primitive.
  bool uses(std::string_view primitive) const;
  /// Returns whether the candidate changes loops of the block with this name; true for any block if `blocks` is empty.
  bool concerns(const std::string& block) const;
  /// Returns whether the candidate makes this move.
  bool makes(PipelineMove move) const;
  /// Returns whether its moves are those of warpgroup_steps.h (Ring and after), for products by wgmma.
  bool isOfWarpgroups() const { return !moves.empty() && moves.back() >= PipelineMove::Ring; }
};

/// Returns what a candidate does, for a title: "Overlap copies with products + asynchronous copies", "Advice: split,
/// bind".
Message titleOf(const CandidateStep& step);

/// Sets the `grid` and `threads` of a candidate from its `state`. If several loops are bound to one hardware axis, the
/// one with the largest extent counts.
void countThreads(CandidateStep& step);

/// Returns the candidates for the next step at state `node`, in this order:
/// - steps of products by warpgroups (wgmma), if `device` is a Hopper GPU (warpgroup_steps.h);
/// - a sum shared by blocks of a cluster, if CUDA cores multiply (slice_steps.h);
/// - the next steps of a pipeline over a loop that copies to shared memory and computes (pipeline_steps.h);
/// - for each block: its serial loops fused, split, bound to `threads` and vectorized; if `threads` is 1, 1, 1, its
///   outermost loops fused, split and bound to thread blocks and 32, 64, … 1024 threads; padded rows, if the block
///   writes to shared memory;
/// - for each serial loop: the loop split into pieces of 2, 4, … 1024 iterations, of which one part is bound,
///   vectorized or unrolled;
/// - each earlier split with a factor of two moved from one of its loops to another (split_variants.h);
/// - every step that the menus of all loops and blocks offer, with each value that these list (loop_menu.h).
///
/// `threads` are the threads along x, y and z that a thread block of the state has now, in its first kernel. `device`
/// is the one that the program is for; null: not known, and the first two kinds are left out. Candidates with the same
/// lines at the same state appear once; those in which a block depends on two loops that are bound to the same axis are
/// left out. The primitives accept all candidates, but only those of the first three kinds are known to make a kernel.
/// The result is deterministic, but when `stop` becomes true, the function returns the candidates found so far. It
/// takes some 100 ms, so it must run on a background thread, with a copy of the history that doesn't change meanwhile.
std::vector<CandidateStep> candidateSteps(const document::History& history, int node,
                                          const schedule::Environment& environment,
                                          const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop,
                                          const model::Device* device = nullptr);

}  // namespace loom::tune
