// Instances: a function with symbols (sizes and scalars), or the device program made of it, with a value for each
// symbol. Expressions that become constant are folded. In a device program, loops without iterations are dropped, and
// branches whose condition becomes constant are replaced by what they do; its other statements stay, also guards that
// the given sizes don't need, as do all statements of a function.
#pragma once
#include "core/arith/analyzer.h"
#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/symbols.h"
#include "core/lower/lower.h"

namespace loom::lower {

// Returns the function with numbers in place of its symbols (ir::symbolsOf), so that shapes, extents and offsets are
// constant; its parameters stay, scalar ones without a use. Error "ValueError" if a symbol has no value, or one that it
// can't have (`valueOf`). Further numbers are ignored.
Result<ir::Function> instance(const ir::Function& function, const ir::Numbers& numbers);

// Returns the device program with numbers in place of its symbols, so that grid, memory and statements are constant;
// Kernel::scalars then has the values that are passed at launch. Error "ValueError" if a symbol has no value, or one
// that it can't have, if the grid exceeds `limits` (by default what no GPU exceeds), if an element of a parameter lies
// before its pointer, or if a buffer or an index is larger than the kernel's types hold.
Result<device::Program> instance(const device::Program& program, const ir::Numbers& numbers, const Limits& limits = {});

// Returns the value that `numbers` has for a symbol, by its name, as a constant of the symbol's type. Error
// "ValueError" if there is none, or one that the symbol can't have: for whole numbers, a fraction or a value beyond the
// range of its type; for extents, strides and offsets, one outside of `rangeOf`.
Result<ir::Expr> valueOf(const ir::Symbol& symbol, const ir::Numbers& numbers);

// Returns the range in which lowering takes the values of a symbol to lie: extents from 1 on, strides and offsets from
// 0 on, all less than 2^31 - 1, or less than 2^40 if the symbol has 64 bits. Returns nothing for a scalar, which may
// have any value.
std::optional<ir::Range> rangeOf(const ir::Symbol& symbol);
// Makes the ranges that `rangeOf` returns for the symbols known to an analyzer; scalars are skipped.
void bindSymbols(arith::Analyzer& analyzer, const std::vector<ir::Symbol>& symbols);

}  // namespace loom::lower
