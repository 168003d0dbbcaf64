// Elements of less than a byte (ir/packed.h) as the bytes that they lie in.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/lower/convert.h"

namespace loom::lower {

// Replaces buffers whose elements share bytes by buffers of these bytes, and numbers of elements by numbers of bytes:
// the one place that knows how such elements lie. Afterwards no expression has a type of less than a byte: one that had
// such a type is an int32 with the same value. Fragments alone keep such a type, as operations know it; their memory is
// tiles of bytes.
//
//     A: int4           C[i] += int32(A[8 · i + k])
//     becomes uint8     C[i] += ((A[(8 · i + k) // 2] >> (8 · i + k) % 2 · 4 & 15) ^ 8) - 8
//
//     S, A: int4        S[f: 32 lanes] = A[g: 32 lanes]
//     become uint8      S[f // 2: 16 lanes] = A[g // 2: 16 lanes]
//
// In local memory, which mostly is registers, each element has a byte of its own (int8 or uint8). This must run after
// the pass `flatten`, which makes one index of coordinates, and vectors must begin at multiples of their width, which
// isn't checked.
//
// Error "NotAKernel", after which `kernel` must not be used, for
//  - a store of less than a byte: GPUs store whole bytes, so that threads which store parts of one would undo each
//    other's stores;
//  - every store, also of whole bytes, to a parameter of the function (`params`) that has such elements;
//  - a buffer of such elements that is swizzled, has rows that begin within a byte, is copied by the copy engine, or is
//    shared by the blocks of a cluster;
//  - an operation of a warp that takes such elements from local memory.
Result<void> packBytes(ConvertedKernel& kernel, const std::vector<ir::Parameter>& params);

// Replaces the temporaries that the host allocates likewise by buffers of bytes, once all kernels are made.
void packTemporaries(device::Program& program);

// Returns the flat buffer of bytes in which the elements of `flat`, which isn't in local memory, are packed, with the
// same name, id, scope and data. Returns `flat` itself if its type is a byte or more.
ir::Buffer asBytes(const ir::Buffer& flat);

}  // namespace loom::lower
