// Device programs with one kernel for each wgmma instruction under test, in the form that lowering gives them: the copy
// engine (TMA) loads both factors into shared memory, one warpgroup multiplies them and stores the sum. They are built
// by hand, so that every product in the table of operations has a kernel.
#pragma once
#include <fmt/format.h>

#include <stdexcept>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/lower/device_passes.h"

namespace loom::device {

// A device program to which kernels are added one by one. The first kernel is named "product" and has the parameters A
// and B, the factors, and C, the result; for each further kernel these names end in "_n", n from 1. The program has the
// parameters of all kernels, and launches them in order.
class WarpgroupProgram {
 public:
  // Adds a kernel C = A · B for `product`, a wgmma operation of the table that reads both factors from shared memory,
  // with the first of its `products`' types: C has 64 rows and the operation's n columns, and k is as many elements as
  // a swizzled line of 128 bytes has. A is [m, k] by rows. B is [k, n] or [n, k], as the operation takes it; throws
  // std::invalid_argument if B is [k, n] and n is no multiple of the elements of a line, or if the table lacks an
  // operation that the kernel needs.
  void add(const OperationRow& product) {
    const ProductTypes& types = product.products.front();
    const auto& tile = product.tile;
    const bool rowsOfB = product.operands[2].rowMajor;
    const std::int64_t depth = kLine / types.factors.bytes();
    if (rowsOfB && tile.n % depth != 0) throw std::invalid_argument("no whole lines of B");
    const std::string number = program.kernels.empty() ? "" : fmt::format("_{}", program.kernels.size());
    Kernel k;
    k.name = "product" + number;
    k.block = {128, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
      k.threadIdx[std::size_t(axis)] = ir::makeVar("threadIdx");
      k.blockIdx[std::size_t(axis)] = ir::makeVar("blockIdx");
    }
    const Buffer a = parameter(k, "A" + number, types.factors, tile.m, depth);
    const Buffer b = rowsOfB ? parameter(k, "B" + number, types.factors, depth, tile.n)
                             : parameter(k, "B" + number, types.factors, tile.n, depth);
    const Buffer c = parameter(k, "C" + number, types.result, tile.m, tile.n);
    const std::int64_t slabs = rowsOfB ? tile.n / depth : 1, rows = rowsOfB ? depth : tile.n;
    const Buffer as = shared(k, "A_shared", types.factors, tile.m * depth);
    const Buffer bs = shared(k, "B_shared", types.factors, tile.n * depth);
    const Buffer full = barriers(k);
    const Buffer sum = sums(k, types.result, tile);
    k.maps = {map("A" + number, a, {tile.m, depth}, {tile.m, depth}),
              map("B" + number, b, {rows, slabs * depth}, {rows, depth})};

    const std::int64_t bytes = (tile.m + tile.n) * kLine;
    std::vector<Stmt> loads{does(Token::Transfers, SyncDoes::Expect, bytes), moved(0, a, as, 0, 0, depth, tile.m)};
    for (std::int64_t s = 0; s < slabs; ++s) loads.push_back(moved(1, b, bs, s * rows * depth, s * depth, depth, rows));
    std::vector<Stmt> body{byOne(k, does(Token::Transfers, SyncDoes::Initialise)), barrier(),
                           byOne(k, seq(std::move(loads))), does(Token::Transfers, SyncDoes::Wait)};
    body.push_back(operation(fmt::format("wgmma.fill.n{}", tile.n), {tileOf(sum)}, {ir::zero(types.result)}));
    body.push_back(does(Token::Products, SyncDoes::Fence));
    for (std::int64_t at = 0; at < depth; at += tile.k) {
      const std::int64_t slab = rowsOfB && slabs > 1 ? rows * depth : 0;
      body.push_back(operation(product.name,
                               {tileOf(sum), element(as, at), element(bs, rowsOfB ? at * depth : at), tileOf(sum)},
                               numbers({depth, 0, kLine, rowsOfB ? tile.n : depth, slab, kLine})));
    }
    body.push_back(does(Token::Products, SyncDoes::Commit));
    body.push_back(does(Token::Products, SyncDoes::Wait));
    body.push_back(
        operation(fmt::format("wgmma.store.n{}", tile.n), {element(c, 0), tileOf(sum)}, numbers({tile.n, 0, 0})));
    k.body = seq(std::move(body));
    lower::planSharedMemory(k);
    program.host.launches.push_back(int(program.kernels.size()));
    program.kernels.push_back(std::move(k));
  }

  Program program;

 private:
  static constexpr std::int64_t kLine = 128;  // bytes of a swizzled line in shared memory

  static std::vector<Expr> numbers(const std::vector<std::int64_t>& all) {
    std::vector<Expr> made;
    for (std::int64_t n : all) made.push_back(ir::intImm(n));
    return made;
  }
  static Buffer buffer(const std::string& name, DType dtype, std::int64_t elements, const char* scope) {
    return ir::makeBuffer(Id{9, 1}, name, dtype, {ir::intImm(elements)}, scope);
  }
  Buffer parameter(Kernel& k, const std::string& name, DType dtype, std::int64_t rows, std::int64_t columns) {
    const Buffer matrix = ir::makeBuffer(Id{9, 1}, name, dtype, {ir::intImm(rows), ir::intImm(columns)});
    program.params.push_back({matrix->data, matrix});
    auto flat = std::make_shared<ir::BufferNode>(*matrix);
    flat->shape = {ir::intImm(rows * columns)};
    k.params.push_back(flat);
    return flat;
  }
  static Buffer shared(Kernel& k, const std::string& name, DType dtype, std::int64_t elements) {
    Allocation a;
    a.buffer = buffer(name, dtype, elements, "shared.dyn");
    a.memory = Memory::SharedDynamic;
    a.elements = elements;
    a.alignment = 1024;  // bytes, after which the pattern of the swizzle repeats
    k.allocations.push_back(a);
    return a.buffer;
  }
  static Buffer barriers(Kernel& k) {
    Allocation a;
    a.buffer = buffer("full", DType::UInt(64), 1, "shared");
    a.memory = Memory::Shared;
    a.elements = 1;
    k.allocations.push_back(a);
    k.mbarriers.push_back({a.buffer, 1, 1, false});
    return a.buffer;
  }
  static Buffer sums(Kernel& k, DType dtype, const ProductTile& tile) {
    Allocation a;
    a.buffer = buffer("sum", dtype, 1, "local.wgmma");
    a.memory = Memory::Fragment;
    a.elements = 1;
    a.fragment = FragmentShape{Operand::Accumulator, tile, true};
    k.allocations.push_back(a);
    return a.buffer;
  }
  static TensorMap map(const std::string& name, const Buffer& b, std::vector<std::int64_t> extents,
                       std::vector<std::int64_t> box) {
    TensorMap m;
    m.buffer = b;
    m.name = name + "_map";
    m.strides = {extents[1], 1};
    m.extents = std::move(extents);
    m.box = std::move(box);
    m.swizzle = int(kLine);
    return m;
  }

  static BufferPlace element(const Buffer& b, std::int64_t at) { return {b, {ir::intImm(at)}, 1, true}; }
  static BufferPlace tileOf(const Buffer& b) { return element(b, 0); }
  static std::shared_ptr<OperationNode> operation(std::string_view name, std::vector<BufferPlace> places,
                                                  std::vector<Expr> values) {
    auto n = std::make_shared<OperationNode>();
    n->row = findOperation(name);
    if (!n->row) throw std::invalid_argument(std::string(name));
    n->places = std::move(places);
    n->values = std::move(values);
    return n;
  }
  static Stmt moved(int map, const Buffer& from, const Buffer& to, std::int64_t at, std::int64_t column,
                    std::int64_t columns, std::int64_t rows) {
    auto n =
        operation("tma.load", {element(to, at), element(from, column)}, numbers({columns, 0, column, 0, 0, kLine}));
    for (BufferPlace& place : n->places) place.box = {rows, columns};
    n->map = map;
    n->barrier = 0;
    n->slot = ir::intImm(0);
    return n;
  }
  static Stmt does(Token token, SyncDoes what, std::int64_t bytes = 0) {
    auto n = std::make_shared<SyncNode>();
    n->token = token;
    n->does = what;
    n->bytes = bytes;
    if (token == Token::Transfers) {
      n->barrier = 0;
      n->slot = ir::intImm(0);
    }
    return n;
  }
  static Stmt byOne(const Kernel& k, Stmt s) {
    auto n = std::make_shared<IfNode>();
    n->condition = ir::binary(ir::ExprKind::EQ, k.threadIdx[0], ir::intImm(0));
    n->yes = std::move(s);
    return n;
  }
};

}  // namespace loom::device
