#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/intrin/intrinsic.h"
#include "core/model/device.h"
#include "core/tune/rules/contraction.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// The limits of a device that rules look at, with the members of cudaDeviceProp of the same meaning. Blocks are thread
/// blocks here.
struct DeviceLimits {
  std::string architecture;  ///< "sm_80"
  std::string name;
  int capability = 0;  ///< compute capability times ten: 75, 80, 90
  /// The most bytes of shared memory of a block: with opting in (sharedMemPerBlockOptin), and without
  /// (sharedMemPerBlock, the same for all devices).
  std::int64_t sharedBytes = 49152, staticSharedBytes = 49152;
  std::int64_t threads = 1024;                               ///< the most threads of a block (maxThreadsPerBlock)
  std::int64_t registers = 65536, registersPerThread = 255;  ///< the most of a block (regsPerBlock), and of a thread
  std::int64_t multiprocessors = 1;                          ///< multiProcessorCount
  /// Blocks that run on the device at a time, in clusters of four blocks, if a multiprocessor holds one block; 0: not
  /// known.
  std::int64_t blocksInFours = 0;
  double l2Bytes = 0;  ///< size of the L2 cache (l2CacheSize); 0: not known
};
/// Returns the limits of a device. A limit that the device doesn't state has its default.
DeviceLimits limitsOf(const model::Device& device);

/// The matrix instruction of warps with which a sketch multiplies, and its intrinsics. Expressions here and below are
/// texts over numbers and the sketch's decisions (sketch.h); if the instruction has several shapes, they name the
/// decisions `shape.m` and `shape.n`.
struct MatrixUnit {
  bool usesWarpLayout = false;  ///< whether it is mma.sync with ldmatrix; else wmma
  std::string m, n;             ///< expressions: rows and columns of a tile of the instruction
  std::int64_t k = 16;          ///< elements along k of a tile of the instruction
  /// Names of intrinsics; "": there is no such store.
  std::string loadA, loadB, fill, multiply, storeGlobal, storeShared;
  std::string scopeA, scopeB, scopeC;  ///< storage scopes of the fragments of A, B and C: "warp", "wmma.matrix_a"…
  std::string sharedScope;             ///< storage scope from which fragments are loaded: "shared" or "shared.dyn"
  bool turnsA = false;                 ///< whether the copy of A in shared memory is transposed
  /// Whether copies in shared memory lie tile after tile, so that each begins at a multiple of 32 bytes, as loads need.
  bool inTiles = false;
};

/// The intrinsics of products by warpgroups (wgmma): tensor cores take both factors from shared memory, to which TMA
/// copies them, and a warpgroup holds 64 rows of the sums in its registers.
struct WarpgroupUnit {
  std::int64_t k = 16;                ///< elements along k of one instruction: 32 bytes
  std::string fill, multiply, store;  ///< names of intrinsics, with an open place for the decision `j.columns`
  std::string storeShared;            ///< intrinsic that stores sums to shared memory, with an open place for `slab`
  bool columnsFirst = true;           ///< whether B lies as [n, k]; else as [k, n]
  bool turnsA = false;                ///< whether A lies as [k, m]; else as [m, k]
  bool swaps = false;                 ///< whether the program's second factor is A: sums are those of C transposed
  /// Expressions that aren't 0 if tiles reach beyond the bounds of A, B or C; "0": they never do.
  std::string padsA = "0", padsB = "0", padsResult = "0";
  static constexpr std::int64_t kRows = 64;      ///< rows of one instruction
  static constexpr std::int64_t kThreads = 128;  ///< threads of a warpgroup
  /// Registers of a thread besides its sums. NVRTC 13.0 takes 26 for all tiles, and can't assemble a kernel that has
  /// fewer; some more are reserved for other code of the kernel.
  static constexpr std::int64_t kOtherRegisters = 32;
  /// Further registers of a thread while sums are stored to shared memory: a thread that holds 128 sums and may use 168
  /// registers spills one without them.
  static constexpr std::int64_t kStagingRegisters = 16;
  /// Returns the registers of a thread of a warpgroup that computes `rows` · 64 rows of `columns` columns.
  static std::int64_t registersOf(std::int64_t rows, std::int64_t columns) {
    return rows * columns / 2 + kOtherRegisters;
  }
};

/// A place in a draft: how many lines and folds stand before it.
struct DraftPlace {
  std::size_t lines = 0, folds = 0;
};

/// A sketch while rules write it, and the facts that a rule leaves for later ones. A sketch is a list of step lines,
/// which call scheduling primitives, with open decisions. Rules that offer alternatives write each into a copy of the
/// draft. A variable is one of the step lines: `b` in `b = sch.get_block("C")`.
class SketchDraft {
 public:
  Sketch sketch;

  // The facts that rules have found so far.
  std::optional<Contraction> product;       ///< nothing: the computation at hand is no product
  std::optional<MatrixUnit> unit;           ///< nothing: CUDA cores, or warpgroups
  std::optional<WarpgroupUnit> warpgroups;  ///< nothing: warps or threads multiply
  /// Whether A, B and C are each accessed through a copy whose dimensions are iterators.
  bool reindexesA = false, reindexesB = false, reindexesResult = false;
  bool padsRows = false, padsColumns = false, padsSums = false;  ///< whether m, n and k are padded to whole tiles
  std::string tileM, tileN, tileK;  ///< expressions: rows, columns and elements along k of a block's tile; "": no tiles
  std::string results;              ///< expression: results that a thread computes on CUDA cores; "": not set
  std::string threads;              ///< expression: threads of a block; "": loops aren't split yet
  std::string warps;                ///< expression: warps of a block, if loops are split for warps
  /// How CUDA cores share a block's tile: among threads, among warps and then their lanes, or among groups of warps
  /// that each sum a slice of k.
  enum class Cores : std::uint8_t { Threads, Warps, Slices } cores = Cores::Threads;
  std::int64_t cluster = 1;  ///< blocks of a cluster, each of which sums a part of k; 1 unless `cores` is Slices
  std::vector<std::string> inlinedA, inlinedB;  ///< variables of blocks that make A and B, to be inlined into copies
  /// Those of these blocks that do more than to copy a buffer as it lies: their variables, and their names.
  std::vector<std::pair<std::string, std::string>> computed;
  bool keepsComputed = false;  ///< whether these are kernels of their own, before the product, and not inlined
  /// For each operand besides A and B, in the order of Contraction::further: variables of blocks that make the operand,
  /// to be inlined into its copy; there may be fewer entries.
  std::vector<std::vector<std::string>> inlinedFurther;
  std::string prefix;                    ///< prefix of the decisions' names for blocks that are no product: "largest."
  std::vector<std::string> consumers;    ///< variables of elementwise blocks, each the only reader of the block
                                         ///< before it; the first reads C
  std::vector<std::string> bytesCopied;  ///< expressions, to be added up: bytes of shared memory that the
                                         ///< copies of a block's operands take for one pipeline stage
  std::string bytesOfResult;             ///< expression: bytes of shared memory for staging C; "": C isn't staged

  /// Begins a fold: the group of lines that a rule writes for a block (a computation with iterators), up to `end`. No
  /// fold may be open. The arguments are the rule's name in the table of rules ("auto-bind") and the block's name.
  void begin(const std::string& rule, const std::string& block);
  /// Appends a step line to the fold; may be called only between `begin` and `end`. In a schedule the line stays only
  /// if the expression `when` has another value than 0; "": it always stays.
  void line(std::string text, std::string when = "");
  /// Ends the fold; a fold without lines is dropped.
  void end();
  /// Returns the place behind all lines so far; to be called between folds.
  DraftPlace place() const { return {sketch.lines.size(), sketch.folds.size()}; }
  /// Has the lines and folds from `middle` to the end stand before those from `begin` to `middle`: places that this
  /// draft, or one that it was copied from, returned in this order.
  void putFirst(const DraftPlace& begin, const DraftPlace& middle);

  /// Adds a decision to the sketch's space, which has all decisions with their values and the constraints between them;
  /// values, at least one, may come in any order and repeat (repeats are dropped). `name` must be new. Decisions with
  /// smaller `rank` come first in the finished sketch, those of one rank in the order in which they were added.
  void decide(int rank, const std::string& name, const Message& words, std::vector<std::int64_t> values);
  /// Adds a decision with the values 0 (no) and 1 (yes); `words` are "whether …".
  void decideWhether(int rank, const std::string& name, const Message& words);
  /// Says of a decision, which must have been added, that the rules have no formula for its best value: when they make
  /// a schedule without a search, it gets the value that the model of the program predicts to be fastest.
  void leaveToModel(const std::string& decision);
  /// Returns whether a decision of this name was added.
  bool has(const std::string& decision) const;

  // The following four functions add constraints. Expressions are sums of products of numbers and decisions:
  // `2*i.warps*j.warps + 4*stages - 1`. The decisions may be added later, up to `finish`. `forbids` says who demands
  // the constraint, such as the program or the hardware.
  /// Adds the constraint that a product is equal to `limit`.
  void equal(const std::string& name, const Message& words, Forbids forbids, const std::string& product,
             std::int64_t limit);
  /// Adds the constraint that a sum is at most `limit`.
  void atMost(const std::string& name, const Message& words, Forbids forbids, const std::string& sum,
              std::int64_t limit);
  /// Adds the constraint that one product divides another.
  void divides(const std::string& name, const Message& words, Forbids forbids, const std::string& divisor,
               const std::string& product);
  /// Adds the constraint that the values of the decisions `columns` are one of `rows`.
  void table(const std::string& name, const Message& words, Forbids forbids, std::vector<std::string> columns,
             std::vector<std::vector<std::int64_t>> rows);
  /// Adds a quantity to the sketch, which is no constraint: a number that follows from the decisions by the expression
  /// `formula`.
  void quantity(const std::string& name, const std::string& formula);
  /// Returns the values of a decision, which must have been added, ascending; valid until another one is added.
  const std::vector<std::int64_t>& valuesOf(const std::string& decision) const;

  /// Returns the sketch with its decisions in order and its constraints resolved. No fold may be open. Fails with
  /// `SketchError` where a constraint names a decision that wasn't added, or an expression is no sum of products.
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

/// Returns the open place of a step line for an expression, `?{…}`; a whole number is returned as it is.
std::string place(const std::string& expression);
/// Returns the prefix for the names of decisions about a block (a computation with iterators) that is no product, in a
/// program in which decisions are about several blocks: "largest." for the block "largest"; "a_." for one called "a",
/// since names that begin with "a." are those of a product's operand.
std::string decisionPrefix(const std::string& block);
/// Returns the divisors of a positive number that are at most `most`, ascending.
std::vector<std::int64_t> divisorsOf(std::int64_t number, std::int64_t most);

}  // namespace loom::tune
