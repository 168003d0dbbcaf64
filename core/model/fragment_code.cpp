#include "core/model/fragment_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/codegen/expression.h"
#include "core/layout/fit.h"
#include "core/layout/request.h"
#include "core/sass/data_movement.h"

namespace loom::model {
namespace {

using layout::Operand;

constexpr const char* kLoadText = R"(
extern "C" __global__ void {name}(const {element}* tile, unsigned* registers) {{
  wmma::fragment<{kind}> f;
  wmma::load_matrix_sync(f, tile, {pitch}{layout});
  constexpr int count = sizeof(f.x) / 4;
#pragma unroll
  for (int i = 0; i < count; ++i) registers[threadIdx.x * count + i] = reinterpret_cast<const unsigned*>(f.x)[i];
}}
)";

constexpr const char* kStoreText = R"(
extern "C" __global__ void {name}_stored(const unsigned* registers, {element}* tile) {{
  wmma::fragment<{kind}> f;
  constexpr int count = sizeof(f.x) / 4;
#pragma unroll
  for (int i = 0; i < count; ++i) reinterpret_cast<unsigned*>(f.x)[i] = registers[threadIdx.x * count + i];
  wmma::store_matrix_sync(tile, f, {pitch}{layout});
}}
)";

const char* operandName(Operand operand) {
  switch (operand) {
    case Operand::A: return "matrix_a";
    case Operand::B: return "matrix_b";
    case Operand::Accumulator: break;
  }
  return "accumulator";
}

Failure unknown(Message why) { return fail("UnknownFragment", std::move(why), Forbids::Environment); }

const sass::Kernel* named(const std::vector<sass::Kernel>& kernels, const std::string& name) {
  const auto at = std::ranges::find_if(kernels, [&](const sass::Kernel& k) { return k.name == name; });
  return at == kernels.end() ? nullptr : &*at;
}

// Where elements lie in the bytes of the tile and of the registers.
struct Bytes {
  const FragmentKind& kind;
  int size = kind.element.bytes();
  int tile = kind.rows() * kind.columns() * size;

  // By element of the registers, counted from the first: that of the tile, from bytes that move whole elements.
  Result<std::vector<int>> elements(const std::vector<int>& from) const {
    std::vector<int> found;
    for (std::size_t i = 0; i + std::size_t(size) <= from.size(); i += std::size_t(size)) {
      for (int byte = 0; byte < size; ++byte)
        if (from[i] < 0 || from[i] % size != 0 || from[i + std::size_t(byte)] != from[i] + byte)
          return fail("SassUnknown", message("byte {} of what {} writes is no copy", i, kind.kernelName()),
                      Forbids::Environment);
      found.push_back(from[i] / size);
    }
    return found;
  }
};

}  // namespace

std::string FragmentKind::name() const {
  const char* order = operand == Operand::Accumulator ? "" : rowMajor ? ", row_major" : ", col_major";
  return fmt::format("{} of m{}n{}k{}, {}{}", operandName(operand), m, n, k, element.str(), order);
}

std::string FragmentKind::kernelName() const {
  const char* order = operand == Operand::Accumulator ? "" : rowMajor ? "_row" : "_col";
  return fmt::format("{}_{}x{}x{}_{}{}", operandName(operand), m, n, k, element.str(), order);
}

namespace {

// What lanes hold of a tile in this buffer, as the first product that takes it says. Nothing where none does.
std::optional<FragmentKind> heldByLanes(const device::Kernel& kernel, const ir::BufferNode* buffer) {
  std::optional<FragmentKind> found;
  device::forEach(kernel.body, [&](const device::Stmt& s) {
    if (found || s->kind != device::StmtKind::Operation) return !found;
    const auto& operation = *device::as<device::OperationNode>(s);
    const device::OperandRow* operand = device::registersOf(operation, buffer);
    const auto i = operand ? std::size_t(operand - operation.row->operands.data()) : 0;
    if (!operand || !operand->held || operation.places[i].buffer.get() != buffer) return true;
    const device::ProductTile& tile = operation.row->tile;
    found = {operand->operand, tile.m, tile.n, tile.k, buffer->dtype, true, operand->held};
    return false;
  });
  return found;
}

}  // namespace

Result<FragmentKind> fragmentKindOf(const device::Kernel& kernel, const Access& access) {
  if (access.operand < 0 || access.statement == nullptr || access.statement->kind != device::StmtKind::Operation)
    return unknown(message("{} moves no fragment", access.blockName));
  // Of a load or store of memory, the fragment at its other end.
  const auto& statement = static_cast<const device::OperationNode&>(*access.statement);
  const device::OperandRow* operand = device::registersOf(statement, access.buffer.get());
  const device::Buffer& buffer =
      operand ? statement.places[std::size_t(operand - statement.row->operands.data())].buffer : access.buffer;
  if (operand && operand->isSpan())
    if (auto held = heldByLanes(kernel, buffer.get())) return *held;
  for (const device::Allocation& a : kernel.allocations) {
    if (a.buffer.get() != buffer.get() || !a.fragment) continue;
    const device::FragmentShape& shape = *a.fragment;
    return FragmentKind{shape.operand,
                        shape.tile.m,
                        shape.tile.n,
                        shape.tile.k,
                        a.buffer->dtype,
                        shape.operand == Operand::Accumulator || shape.rowMajor,
                        operand ? operand->held : nullptr};
  }
  return unknown(message("{} moves no fragment", access.blockName));
}

Result<std::string> fragmentProbeText(const std::vector<FragmentKind>& kinds) {
  std::string text = "#include <mma.h>\nusing namespace nvcuda;\n";
  for (const FragmentKind& kind : kinds) {
    const int bits = kind.element.bits;
    if (kind.held || (bits != 8 && bits != 16 && bits != 32)) return unknown(message("no probe of {}", kind.name()));
    const bool accumulator = kind.operand == Operand::Accumulator;
    const std::string element = codegen::typeName(kind.element);
    const std::string fragment =
        fmt::format("wmma::{}, {}, {}, {}, {}{}", operandName(kind.operand), kind.m, kind.n, kind.k, element,
                    accumulator     ? ""
                    : kind.rowMajor ? ", wmma::row_major"
                                    : ", wmma::col_major");
    const int pitch = kind.rowMajor ? kind.columns() : kind.rows();
    auto add = [&](const char* of) {
      text += fmt::format(fmt::runtime(of), fmt::arg("name", kind.kernelName()), fmt::arg("element", element),
                          fmt::arg("kind", fragment), fmt::arg("pitch", pitch),
                          fmt::arg("layout", accumulator ? ", wmma::mem_row_major" : ""));
    };
    add(kLoadText);
    if (accumulator) add(kStoreText);
  }
  return text;
}

Result<layout::Layout> fragmentOfElements(const std::vector<int>& elements, const FragmentKind& kind) {
  const std::size_t perLane = elements.size() / layout::kLanes, perRegister = 4 / std::size_t(kind.element.bytes());
  // Some fragments hold everything several times in a lane: the second half of the registers is then the first again.
  std::size_t kept = perLane;
  auto repeats = [&] {
    for (std::size_t lane = 0; lane < std::size_t(layout::kLanes); ++lane) {
      const auto begin = elements.begin() + std::ptrdiff_t(lane * perLane);
      if (!std::equal(begin, begin + std::ptrdiff_t(kept / 2), begin + std::ptrdiff_t(kept / 2))) return false;
    }
    return true;
  };
  while (kept % 2 == 0 && kept > perRegister && repeats()) kept /= 2;
  std::vector<layout::Point> points;
  for (std::size_t lane = 0; lane < std::size_t(layout::kLanes); ++lane) {
    for (std::size_t i = 0; i < kept; ++i) {
      const int element = elements[lane * perLane + i];
      points.push_back({element / kind.columns(), element % kind.columns()});
    }
  }
  std::vector<layout::Dimension> inputs{{"lane", layout::kLanes}, {"register", std::int64_t(kept / perRegister)}};
  if (perRegister > 1) inputs.push_back({perRegister == 2 ? "half" : "byte", std::int64_t(perRegister)});
  return layout::fitDigits(inputs, {{"row", kind.rows()}, {"column", kind.columns()}}, points);
}

Result<layout::Layout> fragmentOfCode(const std::vector<sass::Kernel>& kernels, const FragmentKind& kind) {
  const Bytes bytes{kind};
  auto missing = [&] {
    return fail("SassUnknown", message("the machine code has no kernel {}", kind.kernelName()), Forbids::Environment);
  };
  const sass::Kernel* load = named(kernels, kind.kernelName());
  if (load == nullptr) return missing();
  // At most 64 registers a lane; what stays unwritten at the end isn't the fragment's.
  auto from = sass::traceDataMovement(*load, layout::kLanes * 64 * 4);
  if (!from) return Failure(from.error());
  while (!from->empty() && from->back() < 0) from->pop_back();
  auto elements = bytes.elements(*from);
  if (!elements) return Failure(elements.error());
  const int perRegister = 4 / bytes.size;
  if (elements->empty() || elements->size() % std::size_t(layout::kLanes * perRegister) != 0)
    return fail("SassUnknown", message("{} writes {} elements", kind.kernelName(), elements->size()),
                Forbids::Environment);
  if (kind.operand == Operand::Accumulator) {
    const sass::Kernel* store = named(kernels, kind.kernelName() + "_stored");
    if (store == nullptr) return missing();
    auto back = sass::traceDataMovement(*store, bytes.tile);
    if (!back) return Failure(back.error());
    auto held = bytes.elements(*back);
    if (!held) return Failure(held.error());
    for (std::size_t e = 0; e < held->size(); ++e) {
      const auto at = std::size_t((*held)[e]);
      if (at >= elements->size() || (*elements)[at] != int(e))
        return fail("SassUnknown", message("{} is stored otherwise than it is loaded", kind.name()),
                    Forbids::Environment);
    }
  }

  if (!kind.rowMajor)
    for (int& e : *elements) e = e % kind.rows() * kind.columns() + e / kind.rows();
  return fragmentOfElements(*elements, kind);
}

}  // namespace loom::model
