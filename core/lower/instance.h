// Programs at numbers: what a function with symbols, or the device program made of it, is where each symbol has a
// value. Kernels stay as they are: guards that one size doesn't need are there all the same.
#pragma once
#include "core/arith/analyzer.h"
#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/symbols.h"
#include "core/lower/lower.h"

namespace loom::lower {

// The function with numbers for its symbols, scalar parameters among them: shapes, extents and offsets are constants.
// Errors "ValueError": a symbol without a value, or one that it can't have.
Result<ir::Function> instance(const ir::Function& function, const ir::Numbers& numbers);

// The device program with numbers for its symbols: grid, memory and statements are constants; Kernel::scalars keep what
// is passed. Errors as above; also where the grid or a buffer is more than `limits`, or the kernel's indices, reach.
Result<device::Program> instance(const device::Program& program, const ir::Numbers& numbers, const Limits& limits = {});

// The symbol's value as an expression of its type. Error "ValueError".
Result<ir::Expr> valueOf(const ir::Symbol& symbol, const ir::Numbers& numbers);

// What every value of a symbol has in common: extents are at least 1, strides and offsets at least 0. None for numbers
// that are anything.
std::optional<ir::Range> rangeOf(const ir::Symbol& symbol);
void bindSymbols(arith::Analyzer& analyzer, const std::vector<ir::Symbol>& symbols);

}  // namespace loom::lower
