#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/intrin/intrinsic.h"
#include "core/model/device.h"
#include "core/tune/rules/contraction.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// The limits of a device that rules look at.
struct DeviceLimits {
  std::string architecture;  ///< "sm_80"
  std::string name;
  int capability = 0;                                           ///< 75, 80, 90
  std::int64_t sharedBytes = 49152, staticSharedBytes = 49152;  ///< of a block
  std::int64_t threads = 1024;                                  ///< of a block
  std::int64_t registers = 65536, registersPerThread = 255;     ///< of a block, of a thread
  std::int64_t multiprocessors = 1;
  std::int64_t blocksInFours = 0;  ///< of clusters of four, that run at a time with a multiprocessor each
  double l2Bytes = 0;              ///< 0: not known
};
DeviceLimits limitsOf(const model::Device& device);

/// The matrix instruction that a sketch multiplies with, in the words of its intrinsics. Expressions are those of a
/// sketch; where the device has several shapes, they name the decisions `shape.m` and `shape.n`.
struct MatrixUnit {
  bool usesWarpLayout = false;  ///< mma.sync with ldmatrix; else wmma
  std::string m, n;             ///< expressions
  std::int64_t k = 16;
  std::string loadA, loadB, fill, multiply, storeGlobal, storeShared;  ///< intrinsics; "" of a store: there is none
  std::string scopeA, scopeB, scopeC;                                  ///< "warp", "wmma.matrix_a"…
  std::string sharedScope;  ///< from which it loads: "shared" or "shared.dyn"
  bool turnsA = false;      ///< the copy of A in shared memory lies the other way round than A
  bool inTiles = false;     ///< copies in shared memory lie tile after tile, as what loads them needs 32-byte tiles
};

/// The intrinsics by which warpgroups multiply (wgmma): tensor cores take both factors from shared memory, where the
/// copy engine put them, and a warpgroup holds 64 rows of the sum in its registers.
struct WarpgroupUnit {
  std::int64_t k = 16;                ///< elements along k of one product: 32 bytes
  std::string fill, multiply, store;  ///< intrinsics, with the place of `j.columns` open
  std::string storeShared;            ///< of sums to shared memory, with that of `slab`
  bool columnsFirst = true;           ///< whether B lies as [n, k]; else as [k, n]
  bool turnsA = false;                ///< whether A lies as [k, m]; else as [m, k]
  bool swaps = false;                 ///< whether the program's second factor is A: sums are those of C turned
  /// Expressions that aren't 0 where tiles reach beyond what they copy or store; "0": they never do.
  std::string padsA = "0", padsB = "0", padsResult = "0";
  static constexpr std::int64_t kRows = 64;      ///< of one product
  static constexpr std::int64_t kThreads = 128;  ///< of a warpgroup
  /// Registers of a thread besides its sums. NVRTC 13.0 takes 26 for all tiles, and can't assemble a product that has
  /// fewer; some more are kept for what comes around.
  static constexpr std::int64_t kOtherRegisters = 32;
  /// More, while sums go to shared memory: with 168 registers 128 sums spill one.
  static constexpr std::int64_t kStagingRegisters = 16;
  /// Returns the registers of a thread that holds `rows` times 64 rows of `columns` sums.
  static std::int64_t registersOf(std::int64_t rows, std::int64_t columns) {
    return rows * columns / 2 + kOtherRegisters;
  }
};

/// A sketch while rules write it, and what they tell each other. A copy is a branch.
class SketchDraft {
 public:
  Sketch sketch;

  // What rules found out so far.
  std::optional<Contraction> product;       ///< nothing: another block
  std::optional<MatrixUnit> unit;           ///< nothing: CUDA cores, or warpgroups
  std::optional<WarpgroupUnit> warpgroups;  ///< nothing: warps or threads multiply
  bool reindexesA = false, reindexesB = false,
       reindexesResult = false;  ///< is read, written, through a copy by iterators
  bool padsRows = false, padsColumns = false, padsSums = false;
  std::string tileM, tileN, tileK;  ///< expressions: what a block computes of C, and of k at a time; "": no tiles
  std::string results;              ///< expression: of C, that a thread computes on CUDA cores
  std::string threads;              ///< expression: threads of a block, once loops are cut
  std::string warps;                ///< expression: its warps, where loops are cut by them
  /// How CUDA cores share a tile: threads as they come, warps of lanes, or several such that take slices of k.
  enum class Cores : std::uint8_t { Threads, Warps, Slices } cores = Cores::Threads;
  std::int64_t cluster = 1;  ///< blocks of a cluster, each of which sums a part of k; with slices only
  std::vector<std::string> inlinedA, inlinedB;  ///< variables of blocks that make A and B, to be inlined into copies
  /// The same of each operand besides A and B, in the order of Contraction::further; there may be fewer.
  std::vector<std::vector<std::string>> inlinedFurther;
  std::string prefix;                    ///< of the decisions of blocks that are no product: "", or "largest."
  std::vector<std::string> consumers;    ///< variables of blocks that take C on, each from the one before it
  std::vector<std::string> bytesCopied;  ///< expressions: bytes of a block's copies, of which each stage has its own
  std::string bytesOfResult;             ///< expression: bytes in which C is staged; "": it is not

  /// Begins the lines of a rule for a block; those that follow are its fold.
  void begin(const std::string& rule, const std::string& block);
  /// Appends a step line, which stays only where `when` is not 0.
  void line(std::string text, std::string when = "");
  /// Ends the fold; it is dropped where it has no line.
  void end();

  /// Opens a decision; values may come in any order and repeat. Rank orders decisions of a space: smaller ones first.
  void decide(int rank, const std::string& name, const Message& words, std::vector<std::int64_t> values);
  // The same with the values 0, no, and 1, yes; `words` are "whether …".
  void decideWhether(int rank, const std::string& name, const Message& words);
  /// Says that no formula weighs the decision, which is open already: a construction takes what the model of the
  /// program predicts to be fastest.
  void leaveToModel(const std::string& decision);
  bool has(const std::string& decision) const;

  // Add constraints. Expressions are sums of products of numbers and decisions, `2*i.warps*j.warps + 4*stages - 1`.
  void equal(const std::string& name, const Message& words, Forbids forbids, const std::string& product,
             std::int64_t limit);
  void atMost(const std::string& name, const Message& words, Forbids forbids, const std::string& sum,
              std::int64_t limit);
  void divides(const std::string& name, const Message& words, Forbids forbids, const std::string& divisor,
               const std::string& product);
  void table(const std::string& name, const Message& words, Forbids forbids, std::vector<std::string> columns,
             std::vector<std::vector<std::int64_t>> rows);
  void quantity(const std::string& name, const std::string& formula);
  /// Returns the values of a decision; it must be there.
  const std::vector<std::int64_t>& valuesOf(const std::string& decision) const;

  /// Returns the sketch with its decisions in order and its constraints resolved. Fails with `SketchError` where a
  /// constraint names a decision that was never opened.
  Result<Sketch> finish() const;

 private:
  struct Written {
    Constraint constraint;  // without terms
    std::string first, second;
    std::vector<std::string> columns;
  };
  Constraint::Kind kindOf(const Written& w) const { return w.constraint.kind; }
  Result<std::vector<Product>> sumOf(const std::string& text, std::int64_t& constant, const Space& space) const;

  std::vector<int> ranks_;  // of sketch.space.decisions
  std::vector<Written> written_;
  int open_ = -1;  // index of the fold that lines go into
};

/// Returns an open place for an expression; a number stays one.
std::string place(const std::string& expression);
/// Returns the divisors of a positive number that are at most `most`, ascending.
std::vector<std::int64_t> divisorsOf(std::int64_t number, std::int64_t most);

}  // namespace loom::tune
