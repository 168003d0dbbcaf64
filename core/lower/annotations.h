// Annotations of loops and blocks. The table of passes (pass_table.h) has, for each pass, the keys of the annotations
// that it follows. Annotations with other keys stay in the program, and remarks report them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/device/program.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// Keys of annotations, TVM's unless said otherwise.
// On blocks: kDimAlign, padding (dimensionAlignments); kDoubleBuffer, the index, in the block's `writes`, of a buffer
// that gets two versions; kLocalStage, with any value: the block, which copies to shared memory, loads into registers
// first and stores from there. On loops, each a list of numbers from 0 on: kStage, the pipeline stage of each statement
// of the body; kOrder, the place of each statement in the order of execution; kAsyncStages, the stages whose copies are
// asynchronous. On pipelined loops kUnrollStages, Tileloom's own, a number: the factor by which the steady loop, the
// one between the pipeline's first and last iterations, is unrolled (device::Overlap::unroll).
inline constexpr const char* kDimAlign = "buffer_dim_align";
inline constexpr const char* kStage = "software_pipeline_stage";
inline constexpr const char* kOrder = "software_pipeline_order";
inline constexpr const char* kAsyncStages = "software_pipeline_async_stages";
inline constexpr const char* kDoubleBuffer = "double_buffer_scope";
inline constexpr const char* kUnrollStages = "tileloom.unroll_stages";
inline constexpr const char* kLocalStage = "tir.manifest_shared_memory_local_stage";
// On loops and blocks: kUnrollSteps, a number: loops inside are unrolled if their iterations have at most so many steps
// (stores and operations) in all; kUnrollExplicit, whether lowering repeats the bodies of such loops (1) or leaves that
// to the compiler (0).
inline constexpr const char* kUnrollSteps = "pragma_auto_unroll_max_step";
inline constexpr const char* kUnrollExplicit = "pragma_unroll_explicit";

// Returns the value of an annotation if it is a whole number; else nothing.
std::optional<std::int64_t> numberOf(const ir::AnnotationValue& value);
// Returns the value of an annotation if it is a text; else nothing.
std::optional<std::string> textOf(const ir::AnnotationValue& value);
// Returns the value of an annotation if it is a list, which may be empty, of numbers that an int holds, from 0 on:
// [0, 0, 2]; else nothing.
std::optional<std::vector<int>> numbersOf(const ir::AnnotationValue& value);

// A request to pad a buffer: its stride along the axis must be a multiple of `factor`, plus `offset`, in elements.
struct DimensionAlignment {
  ir::Buffer buffer;
  std::size_t axis = 0;  // dimension of the buffer, from 0
  std::int64_t factor = 0, offset = 0;
};

// The entries of a block's annotation `buffer_dim_align`, [[index into writes, axis, factor, offset], …]; an axis below
// 0 counts from the last dimension.
struct DimensionAlignments {
  std::vector<DimensionAlignment> entries;
  // Number of entries that `entries` leaves out because they have another form, or name no buffer, axis or factor above
  // 0; 1 if the value isn't a list.
  std::size_t meaningless = 0;
};
// Returns the entries of a block's annotation `buffer_dim_align`; none if the block has no such annotation.
DimensionAlignments dimensionAlignments(const ir::BlockNode& block);

// Returns those annotations of a loop or a block that ask to unroll the loops inside. They stay when a pass removes the
// loop: TVM 0.22 keeps them around what is left of it.
ir::Annotations unrollAnnotations(const ir::Annotations& all);
// Returns `body`, which is what is left of the removed loop `loop`. If the loop has annotations on unrolling, the
// result is a block without a name that has these annotations and contains `body`, else `body`. Null stays null.
ir::Stmt keepingUnrollAnnotations(const ir::ForNode& loop, ir::Stmt body);

// Returns a remark for every annotation in `body` that has no effect on its kernels, because lowering doesn't know it
// or can't follow it. `body` is the function as scheduled, before any pass drops a loop.
std::vector<device::Remark> remarksOnAnnotations(const ir::Stmt& body);

}  // namespace loom::lower
