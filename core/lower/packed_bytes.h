// Elements of less than a byte (ir/packed.h) as the bytes that they lie in.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/lower/convert.h"

namespace loom::lower {

// Replaces buffers whose elements share bytes by buffers of these bytes, and numbers of elements by numbers of bytes:
// the one place that knows how such elements lie. Afterwards no expression has a type of less than a byte: one that had
// such a type is an int32 with the same value.
//
//     A: int4           C[i] += int32(A[8 · i + k])
//     becomes uint8     C[i] += ((A[(8 · i + k) // 2] >> (8 · i + k) % 2 · 4 & 15) ^ 8) - 8
//
//     S, A: int4        S[f: 32 lanes] = A[g: 32 lanes]
//     become uint8      S[f // 2: 16 lanes] = A[g // 2: 16 lanes]
//
// In local memory, which mostly is registers, each element has a byte of its own (int8 or uint8). Fragments keep
// their type: operations know it, and their memory is tiles of bytes. This must run after `flatten`, and vectors
// must begin at multiples of their width.
//
// Error "NotAKernel" for a store of less than a byte: GPUs store whole bytes, so that threads which store parts of one
// would undo each other's stores. The same error for buffers of such elements that are swizzled, whose rows begin
// within a byte, that the copy engine copies or that blocks of a cluster share; for operations of a warp that take them
// from local memory; and for every store, also of whole bytes, to a parameter of the function (`params`) that has such
// elements.
Result<void> packBytes(ConvertedKernel& kernel, const std::vector<ir::Parameter>& params);

// Replaces the temporaries that the host allocates likewise by buffers of bytes, once all kernels are made.
void packTemporaries(device::Program& program);

// Returns the flat buffer of bytes in which the elements of `flat` are packed, with the same name, id, scope and data.
// Returns `flat` itself if no elements share bytes.
ir::Buffer asBytes(const ir::Buffer& flat);

}  // namespace loom::lower
