#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/model/device.h"

namespace loom::tune {

/// What a candidate does so that copies from global to shared memory and the products that use them overlap.
enum class PipelineMove : std::uint8_t {
  Overlap,       ///< annotates the loop over k: copies of the next iterations beside the products of this one
  Asynchronous,  ///< starts the copies and waits for them later, where threads would hold them in registers
  Slot,          ///< one more tile of each copied buffer in shared memory
  Order,         ///< the products of a turn before its copies, or the copies first
  Fragments,     ///< what the products read of shared memory is read an iteration ahead
  Unroll,        ///< as many turns in one iteration of the made loop as there are slots
  Swizzle,       ///< rows in shared memory with their 16-byte pieces in other places instead of padding
  MmaSync,       ///< ldmatrix and mma.sync in place of wmma's fragments
  Slices,        ///< blocks of a cluster sum a part of k each, and share the sums in their memory
  Ring,          ///< another number of slots
  Warpgroups,    ///< TMA and wgmma in place of what multiplies now
  InFlight,      ///< products that are on their way while the next ones begin, or none any more
  Loaders,       ///< warps of their own load, or none any more
  Tile,          ///< another tile: its rows, columns, or steps along k
  Registers,     ///< registers go from warps that load to those that multiply, or are alike again
  Persistent,    ///< blocks stay and take one tile after another, or each tile has a block again
  Raster,        ///< another order of tiles
  Staged,        ///< the copy engine stores sums, through another number of slots, or threads do again
  Turns,         ///< warpgroups take tiles in turns, or multiply one together again
  Early,         ///< the first tiles are asked for before all else, or no more
  Cluster,       ///< neighbours bring each other the tiles that both need, or no more
};

/// Step lines that could be applied next, and the state that they lead to. All of them have been applied on trial and
/// accepted. A candidate either adds lines at the state that was asked for, or is an *edit*: it replaces a step of the
/// past and applies the later steps again.
struct CandidateStep {
  int at = 0;         ///< index in the history of the state that `lines` are applied to
  int edited = -1;    ///< for an edit: the state whose step is replaced, a child of `at`; otherwise -1
  std::string lines;  ///< all lines to apply, those after an edited step included
  std::string step;   ///< the lines that make this candidate different: all of `lines`, or of an edit the replaced ones
  std::vector<std::string> primitives;  ///< in `step`, each once, without those that only look up loops and blocks
  std::vector<std::string> blocks;      ///< names of the blocks whose loops are changed; empty for an edit: any block
  schedule::State state;                ///< after `lines`
  std::int64_t grid = 1, threads = 1;   ///< launch of `state`: thread blocks in all, and threads of a block
  bool joint = false;                   ///< whether several candidates were joined, one after another
  std::vector<PipelineMove> moves{};    ///< in the order of the enumeration; none: a step of another kind
  int slots = 0;                        ///< with moves: tiles of a copied buffer that are in use at once; else 0

  /// Returns whether `step` contains the primitive.
  bool uses(std::string_view primitive) const;
  /// Returns whether the candidate changes loops of the block with this name.
  bool concerns(const std::string& block) const;
  /// Returns whether the candidate makes this move.
  bool makes(PipelineMove move) const;
  /// Returns whether it makes moves of products by warpgroups.
  bool isOfWarpgroups() const { return !moves.empty() && moves.back() >= PipelineMove::Ring; }
};

/// Returns what a candidate does, for a title: "Overlap copies with products + asynchronous copies", "Advice: split,
/// bind".
Message titleOf(const CandidateStep& step);

/// Fills in `grid` and `threads` from `state`. Of several loops bound to one hardware axis the longest counts.
void countThreads(CandidateStep& step);

/// Returns the candidates for the next step at state `node`, in this order:
/// - what leads on by warpgroups of Hopper, where `device` is one (warpgroup_steps.h);
/// - a sum shared by blocks of a cluster, where CUDA cores multiply (slice_steps.h);
/// - the next steps of a pipeline over a loop that copies to shared memory and computes (pipeline_steps.h);
/// - every step that the menus of all loops and blocks offer, with each value that these list (loop_menu.h);
/// - a loop split into pieces of 2, 4, … 1024 iterations, which are bound, vectorized or unrolled;
/// - all loops of a block without threads, fused, split, bound to the kernel's `threads` (the threads of a block along
/// x,
///   y and z) and vectorized;
/// - a matrix product without threads, tiled and bound to thread blocks and threads;
/// - padded rows of buffers in shared memory;
/// - each split of the past with a factor of two moved from one of its loops to another (split_variants.h).
///
/// `device` is the one that the program is for; null: any. Candidates that visibly lead to the same program appear
/// once. Deterministic. When `stop` becomes true, the function returns what it has found so far. Takes some 100 ms, so
/// it must run on a background thread.
std::vector<CandidateStep> candidateSteps(const document::History& history, int node,
                                          const schedule::Environment& environment,
                                          const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop,
                                          const model::Device* device = nullptr);

}  // namespace loom::tune
