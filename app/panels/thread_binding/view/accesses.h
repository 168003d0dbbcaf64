#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/layout/wavefronts.h"
#include "core/model/advice.h"
#include "core/model/count.h"
#include "core/model/fragment_code.h"
#include "core/model/timeline_position.h"
#include "core/model/touchers.h"

namespace loom::session {

/// Numbered things (blocks, warps) in a rectangle, row by row. They lie where their part of the result lies when that
/// fills a rectangle, else in the order of their numbers, x across.
struct Arrangement {
  std::int64_t columns = 1, rows = 1;
  std::vector<std::int64_t> numbers;  ///< by cell; empty: cell c holds number c
  bool byResult = false;

  std::int64_t numberAt(std::int64_t cell) const;
  std::int64_t cellOf(std::int64_t number) const;
};

/// Who is looked at, and where. Numbers count x fastest.
struct BindingChoice {
  std::int64_t block = 0, thread = 0;
  int access = 0;                     ///< of `ThreadBinding::accesses`
  std::map<int, std::int64_t> loops;  ///< fixed ones, by index in KernelAccesses::loops; the others stay open
};

/// How a buffer is read as rows: the last dimension runs across, all others down.
struct BufferRows {
  std::int64_t rows = 1, columns = 1;
  std::int64_t pitch = 1;  ///< elements from a row to the next, padding included
  bool fragments = false;  ///< an element is a whole wmma fragment, of which each warp has its own
};

/// Which elements of a buffer are touched, drawn small: a cell stands for `cellRows` × `cellColumns` elements.
struct TouchedPicture {
  enum Level : std::uint8_t { kNone, kBlock, kWarp, kLane };
  int rows = 0, columns = 0;
  std::int64_t cellRows = 1, cellColumns = 1;
  std::vector<std::uint8_t> levels;  ///< by cell, the innermost that touches any of its elements
};

/// What each lane of the warp touches in one execution of the statement. Rows and columns that no lane touches are left
/// out; a cell is what one lane moves at once.
struct LanePicture {
  std::vector<std::int64_t> rows, columns;  ///< of the buffer: row, first column
  std::vector<std::vector<int>> lanes;      ///< by cell, row by row
  int elements = 1;                         ///< of a cell, along the row
};

/// One request of the warp as the memory sees it.
struct RequestPicture {
  struct Line {                               ///< 128 bytes of global memory
    std::int64_t offset = 0;                  ///< of its first byte from the buffer's start
    std::array<std::vector<int>, 4> sectors;  ///< lanes that touch each
  };
  std::vector<Line> lines;
  int sectors = 0, needed = 0;  ///< 32-byte sectors moved, and the least for the bytes asked for
  int used = 0;                 ///< bytes asked for, each once
  /// Bytes used of those moved, as ncu counts them; 0 where nothing is moved.
  double usedShare() const { return sectors > 0 ? double(used) / double(sectors * layout::kSectorBytes) : 0; }

  std::vector<layout::Phase> phases;  ///< shared memory
  layout::SharedCost shared;
  std::vector<layout::Wavefront> wavefronts;  ///< of the phases, one after the other
  bool ldmatrix = false;                      ///< lanes give addresses of rows, which all lanes share
  int requests = 1;                           ///< that one execution takes; the first is shown
};

/// The same request with the rows further apart, as storage_align would put them.
struct PaddedRequest {
  model::RowPadding padding;
  RequestPicture request;
};

struct BindingView {
  BufferRows shape;
  std::int64_t blockElements = 0, warpElements = 0, laneElements = 0;
  TouchedPicture touched;
  std::optional<LanePicture> lanes;             ///< none for a wmma tile
  std::optional<RequestPicture> request;        ///< none for local memory and fragments
  std::optional<PaddedRequest> padded;          ///< of a request with bank conflicts, where padding is possible
  std::optional<model::FragmentKind> fragment;  ///< of a wmma tile
  std::uint32_t active = 0;                     ///< lanes whose guards hold
  bool activeKnown = true;                      ///< false: a guard depends on memory; taken to hold
  std::optional<Error> unknown;                 ///< why elements can't be told
};

/// Who computes what in a kernel, as numbers for pictures. A pure function of the program; `view` can take
/// a quarter of a second (a block that touches millions of elements): ask for it in the background.
class ThreadBinding {
 public:
  /// Of kernel `kernel` of the program, which is shared with whoever made it.
  explicit ThreadBinding(std::shared_ptr<const device::Program> program, int kernel = 0);

  const device::Kernel& kernel() const { return *accesses_.kernel; }
  const model::KernelAccesses& accesses() const { return accesses_; }
  const Arrangement& blocks() const { return blocks_; }
  const Arrangement& warps() const { return warps_; }
  std::int64_t warpCount() const;

  /// The access to begin with: of those that travel through global memory the one that a thread does most often, else
  /// the first.
  int firstAccess() const;
  /// The access by what it does, any block's where `block` is empty; −1: there is none.
  int find(const std::string& block, const std::string& buffer, bool write) const;
  /// The same choice brought into this kernel's bounds; the access is found again by block, buffer and direction.
  BindingChoice clamped(BindingChoice choice) const;
  /// The choice led to what happens at a moment: the access that leads there and the values of its loops that stand
  /// still; block, warp and lane stay. Unchanged where this kernel has no such access.
  BindingChoice ledTo(const model::TimelinePosition& moment, BindingChoice choice) const;
  BufferRows rowsOf(const model::Access& access) const;
  BindingView view(const BindingChoice& choice) const;
  /// Who touches the element (its row and column in the buffer) in the chosen statement; of shared memory, in the
  /// chosen block.
  Result<model::Touchers> owners(const BindingChoice& choice, std::int64_t row, std::int64_t column) const;
  /// "lane 9: X[281, 8:16]": what a lane touches in one execution; empty when that is not known.
  std::string laneText(const BindingChoice& choice) const;

 private:
  std::shared_ptr<const device::Program> program_;
  model::KernelAccesses accesses_;
  Arrangement blocks_, warps_;
};

}  // namespace loom::session
