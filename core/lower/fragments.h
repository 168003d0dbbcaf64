// Tensor-core fragments in lowering: shapes, and the calls of TVM's wmma intrinsics as typed device statements.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

std::optional<device::Memory> memoryOf(const std::string& scope);
bool isFragment(const ir::BufferNode& b);
bool isWarpOperation(const std::string& op);
// Elements of the whole fragment, over all lanes.
std::int64_t fragmentElements(const device::FragmentShape& shape);
// Elements from one index of a dimension to the next, the buffer's own strides or compact ones.
std::vector<std::int64_t> flatStrides(const ir::BufferNode& b, const std::vector<std::int64_t>& extents);

// 16×16×16 tiles; extents must be whole tiles.
Result<device::FragmentShape> fragmentShape(const ir::BufferNode& b, const std::vector<std::int64_t>& extents);

// A fragment that is read or written element by element: no lane knows which register holds an element. The remedy
// names the intrinsic that would do what `block` does.
tl::unexpected<Error> fragmentByElements(const ir::BufferNode& b, const ir::Block& block);

// What the first uses of a fragment say of its C++ type. All others must agree.
struct FragmentType {
  std::optional<bool> rowMajor;
  ir::Block loader;  // the block whose load said so
  std::optional<std::array<int, 3>> tile;
  ir::Block user;  // the block whose operation said so
};
using FragmentTypes = std::map<const ir::BufferNode*, FragmentType>;  // by device buffer

struct WmmaContext {
  std::function<Result<ir::Buffer>(const ir::VarNode*)> buffer;  // device buffer by data variable
  std::function<Result<ir::Expr>(const ir::Expr&)> expression;   // flattened and simplified
  std::vector<device::Allocation>* allocations = nullptr;        // fragments learn their layout from their loads
  FragmentTypes* types = nullptr;
  ir::Block block;
};

// tvm_fill_fragment, tvm_load_matrix_sync, tvm_mma_sync, tvm_store_matrix_sync. Error "NotAKernel" for operands in the
// wrong place, dtypes that the hardware doesn't multiply, tiles or layouts of one fragment that differ, rows in memory
// that don't start at multiples of 16 bytes.
Result<device::WmmaNode> convertWmma(const ir::CallNode& call, const WmmaContext& context);

}  // namespace loom::lower
