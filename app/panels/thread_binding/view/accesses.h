#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/thread_binding/view/shared_lines.h"
#include "core/layout/wavefronts.h"
#include "core/model/advice.h"
#include "core/model/cluster_copies.h"
#include "core/model/count.h"
#include "core/model/element_threads.h"
#include "core/model/fragment_code.h"
#include "core/model/roles.h"
#include "core/model/timeline_position.h"

namespace loom::session {

/// The arrangement of numbered things (blocks of a grid, warps of a block) in a rectangle of cells. Each thing lies
/// where the part of the result that it computes lies in the output buffer, if these parts fill a rectangle; otherwise
/// things are in the order of their numbers, row by row.
struct Arrangement {
  std::int64_t columns = 1, rows = 1;
  /// For each cell, row by row: the number of its thing; empty: cell c holds number c, and cells of the last row whose
  /// number no thing has stay empty.
  std::vector<std::int64_t> numbers;
  bool byResult = false;  ///< whether things lie where their part of the result lies
  /// For each block, by its number: the index of its cluster; empty for warps, without clusters, and for more than
  /// 65536 blocks.
  std::vector<std::int64_t> groups;

  /// Return the number of the thing in a cell (counted row by row), and the cell of the thing with a number; neither is
  /// checked.
  std::int64_t numberAt(std::int64_t cell) const;
  std::int64_t cellOf(std::int64_t number) const;
  /// Returns whether the blocks with these numbers belong to one cluster; false if `groups` is empty.
  bool areGrouped(std::int64_t a, std::int64_t b) const {
    return !groups.empty() && groups.at(std::size_t(a)) == groups.at(std::size_t(b));
  }
};

/// The thread and the access that the panel shows.
struct BindingChoice {
  std::int64_t block = 0, thread = 0;  ///< number of the thread block, and of the thread in it; x varies fastest
  int access = 0;                      ///< index into the accesses of `ThreadBinding::accesses`
  /// The fixed iterations, by index into KernelAccesses::loops. Other loops run through all iterations where accessed
  /// elements are counted; a single execution and its memory request take their iteration 0.
  std::map<int, std::int64_t> loops;
};

/// The largest number of cells along a side of a picture of a buffer. If the buffer is larger, a cell stands for
/// several elements.
constexpr int kPictureCells = 64;

/// Returns the quotient of two positive numbers, rounded up.
constexpr std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// A buffer as a matrix: its last dimension runs along the columns, all others together along the rows. A parameter
/// that doesn't lie row-major without gaps is a matrix as it lies in memory, with rows as long as its smallest stride
/// above 1. Of elements of which several share a byte, each byte is an element here.
struct BufferRows {
  std::int64_t rows = 1, columns = 1;
  std::int64_t pitch = 1;  ///< elements from one row to the next, padding included
  bool fragments = false;  ///< whether an element is a whole wmma fragment, of which each warp has its own
};

/// A reduced picture of a buffer that shows who accesses which elements. A cell stands for `cellRows` × `cellColumns`
/// elements.
struct TouchedPicture {
  /// Who accesses a cell: nobody, or the chosen block, warp or lane.
  enum Level : std::uint8_t { kNone, kBlock, kWarp, kLane };
  int rows = 0, columns = 0;                   ///< cells
  std::int64_t cellRows = 1, cellColumns = 1;  ///< elements of a cell
  std::vector<std::uint8_t> levels;  ///< by cell, row by row: the innermost of the chosen block, warp and lane that
                                     ///< accesses one of its elements
};

/// The elements that each lane of the warp accesses in one execution of the statement. A cell is what one lane moves at
/// once. Rows and columns that no lane accesses are left out.
struct LanePicture {
  std::vector<std::int64_t> rows, columns;  ///< for rows and columns of cells: the buffer's row, its first column
  std::vector<std::vector<int>> lanes;      ///< for each cell, row by row: the lanes that access it
  int elements = 1;                         ///< elements of a cell, along the row
};

/// The cost of one memory request of the warp.
struct RequestPicture {
  /// 128 bytes of global memory.
  struct Line {
    std::int64_t offset = 0;                  ///< bytes from the buffer's start
    std::array<std::vector<int>, 4> sectors;  ///< lanes that access each of the four sectors
  };
  std::vector<Line> lines;      ///< lines of global memory that the request touches; empty for shared memory
  int sectors = 0, needed = 0;  ///< 32-byte sectors that are moved, and the fewest that could move the requested bytes
  int used = 0;                 ///< requested bytes, each counted once
  /// Returns the share of the moved bytes that were requested, as ncu counts it; 0 if nothing is moved.
  double usedShare() const { return sectors > 0 ? double(used) / double(sectors * layout::kSectorBytes) : 0; }

  std::vector<layout::Phase> phases;          ///< phases of a request to shared memory; empty for global memory
  layout::SharedCost shared;                  ///< cost of a request to shared memory
  std::vector<layout::Wavefront> wavefronts;  ///< wavefronts of all phases, one after the other
  bool ldmatrix = false;                      ///< whether each lane gives the address of a row, which all lanes load
  int requests = 1;                           ///< requests that one execution takes, of which this is the first
  /// A row of ldmatrix: 16 bytes (four neighbouring banks) whose address one lane gives.
  struct Row {
    int lane = 0, phase = 0;  ///< the lane, and the index of its matrix in `phases`
    int bank = 0;             ///< the first of the four banks
    int wave = 0;             ///< the wavefront of its phase that transfers it, from 0
  };
  std::vector<Row> rows;  ///< empty unless `ldmatrix`
};

/// A request as it would be if the rows of the buffer were padded by storage_align.
struct PaddedRequest {
  model::RowPadding padding;  ///< the length of a padded row, and the schedule step that pads
  RequestPicture request;
};

/// A request as it would be if the buffer's rows were swizzled (annotation `tileloom.swizzle`), or, if they are,
/// weren't.
struct SwizzledRequest {
  int span = 0;             ///< bytes of a row: 32, 64 or 128
  bool isSwizzled = false;  ///< whether the buffer is swizzled; `request` is then without the swizzle
  RequestPicture request;
  std::string step;  ///< the step line that swizzles the buffer; empty if it is, or if several blocks write it
};

/// Why a warp makes no request to memory by an access. Of several reasons the first holds.
enum class NoRequest : std::uint8_t {
  kFragment,  ///< the access is to a fragment, which lies in registers of a whole warp or warpgroup
  kOwn,       ///< the access is to local memory: each thread's own
  kBeside,    ///< the copy engine or tensor cores access the memory themselves (device::isBeside)
  kIdle,      ///< no lane of the warp executes the access
  kUnknown,   ///< the addresses can't be computed
};

/// What the chosen block, warp and lane access by the chosen access: a read or a write of one buffer by a statement.
struct BindingView {
  BufferRows shape;  ///< the buffer as a matrix
  /// Numbers of different elements that the block, the warp and the lane access. Each thread has registers of its own,
  /// and each warp fragments: there the numbers are sums over threads or warps. Incomplete where `unknown` is set.
  std::int64_t blockElements = 0, warpElements = 0, laneElements = 0;
  TouchedPicture touched;
  std::optional<LanePicture> lanes;       ///< nothing if a whole tile is accessed, or the elements aren't known
  std::optional<RequestPicture> request;  ///< the warp's request; nothing: it makes none, as `noRequest` says
  std::optional<NoRequest> noRequest;   ///< why there is no `request`; nothing: there is one, or there are no accesses
  std::optional<PaddedRequest> padded;  ///< nothing if the request has no bank conflict that padding would change
  /// The request with swizzled rows, or without the swizzle if they have one. Nothing if the rows aren't swizzled and
  /// the request has no bank conflict, or if the buffer can't be swizzled.
  std::optional<SwizzledRequest> swizzled;
  /// The lines of a tile that tensor cores or the copy engine access by swizzled lines (`request` is then nothing);
  /// nothing for other accesses.
  std::optional<SharedLines> lines;
  /// The parts of data that the blocks of a cluster copy for each other or read from each other's shared memory;
  /// nothing for other data.
  std::optional<model::ClusterCopies> cluster;
  std::optional<model::FragmentKind> fragment;  ///< the kind of fragment that the access is to; nothing: to none
  std::uint32_t active = 0;                     ///< bit l: lane l has a thread, and all its guards (conditions) hold
  bool activeKnown = true;                      ///< false if a guard depends on memory; it is then taken to hold
  std::optional<Error> unknown;                 ///< why not all elements can be computed; the pictures lack these
};

/// Which threads of a kernel access which elements. Immutable. Members that take a choice, other than `clamped`,
/// require that its numbers are in this kernel's bounds, as `clamped` returns them. `view` may take a quarter of a
/// second, for a block that accesses millions of elements, so it should run on a background thread.
class ThreadBinding {
 public:
  /// Works out the accesses of the kernel with the index `kernel` in the program.
  explicit ThreadBinding(std::shared_ptr<const device::Program> program, int kernel = 0);

  const device::Kernel& kernel() const { return *accesses_.kernel; }
  const model::KernelAccesses& accesses() const { return accesses_; }
  /// Return the arrangement of the grid's blocks, and of a block's warps, for pictures.
  const Arrangement& blocks() const { return blocks_; }
  const Arrangement& warps() const { return warps_; }
  /// Returns the number of warps of a block.
  std::int64_t warpCount() const;
  /// Returns the roles of a block's warps: which warps run which part of the kernel.
  const std::vector<model::WarpRole>& roles() const { return roles_; }

  /// Returns how often a thread executes an access, given by its index: the product of the extents of the loops around
  /// it, guards left aside.
  double runsOf(int access) const;
  /// Returns the index of the access to show at first: of those to global memory the one that a thread executes most
  /// often (guarded accesses count half), or else 0, also if there are no accesses.
  int firstAccess() const;
  /// Returns the index of the access by which the program's TIR block named `block` (empty: any block) reads, or with
  /// `write` writes, the buffer named `buffer`; −1 if there is none. Of several, as before and within the loop of a
  /// pipeline, the one that a thread executes most often (guarded accesses count half).
  int find(const std::string& block, const std::string& buffer, bool write) const;
  /// Returns the choice with all its numbers moved into this kernel's bounds.
  BindingChoice clamped(BindingChoice choice) const;
  /// Returns the choice with the first thread of the block that executes its access. Returns it unchanged if a thread
  /// of the chosen warp executes the access, or no thread of the block does.
  BindingChoice takingPart(BindingChoice choice) const;
  /// Returns the choice with the access, and the iterations of its loops, at a point in a block's life. Block and
  /// thread stay. Returns it unchanged if this kernel has no such access.
  BindingChoice ledTo(const model::TimelinePosition& moment, BindingChoice choice) const;
  /// Returns the buffer of an access as a matrix.
  BufferRows rowsOf(const model::Access& access) const;
  /// Returns what the panel shows for a choice; an empty view for a kernel without accesses.
  BindingView view(const BindingChoice& choice) const;
  /// Returns the threads that access an element by the chosen access, which must exist, in any iteration of its loops:
  /// for global memory all of the grid, for shared memory those of the chosen block, and for registers and fragments
  /// the chosen thread or its warp. `row` and `column` are those of the element in `rowsOf` of the access. Errors:
  /// "NotSeparable" if the index reads memory or joins too many variables, or the rows of a tile are an unknown
  /// distance apart; "TooMany" if a variable takes millions of values.
  Result<model::ElementThreads> owners(const BindingChoice& choice, std::int64_t row, std::int64_t column) const;
  /// Returns a text with the elements that the chosen lane accesses in one execution, "X[281, 8:16]"; empty if they
  /// aren't known, and for an access to a tile, which isn't divided among lanes.
  std::string laneText(const BindingChoice& choice) const;

 private:
  /// Returns the index of the wanted access that a thread executes most often; −1: none is wanted.
  int mostOften(const std::function<bool(const model::Access&)>& isWanted) const;
  /// Returns how many warps, or groups of warps, of a block hold a fragment of their own of the buffer of an access.
  std::int64_t holdersOf(const model::Access& access) const;

  std::shared_ptr<const device::Program> program_;
  model::KernelAccesses accesses_;
  Arrangement blocks_, warps_;
  std::vector<model::WarpRole> roles_;
};

}  // namespace loom::session
