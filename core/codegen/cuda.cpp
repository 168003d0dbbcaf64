#include "core/codegen/cuda.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/codegen/expression.h"
#include "core/codegen/kernel_writer.h"
#include "core/codegen/names.h"
#include "core/device/effects.h"
#include "core/device/precision.h"
#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/ir/packed.h"
#include "core/lower/bulk_stores.h"
#include "core/lower/instance.h"

namespace loom::codegen {
namespace {

using namespace device;
using ir::ExprKind;

// 0 for none.
double numberOf(const Expr& value) {
  if (!value) return 0;
  if (value->kind == ExprKind::FloatImm) return ir::as<ir::FloatImmNode>(value)->value;
  return double(ir::constantOr(value, 0));
}

bool anyType(const Program& p, const std::function<bool(ir::DType)>& wanted) {
  for (const Kernel& k : p.kernels) {
    for (const Kernel::Scalar& s : k.scalars) {
      if (wanted(s.var->dtype)) return true;
    }
    for (const Buffer& b : k.params) {
      if (wanted(b->dtype)) return true;
    }
    for (const Allocation& a : k.allocations) {
      if (wanted(a.buffer->dtype)) return true;
    }
  }
  return false;
}

// `uses` are those of the program's kernels.
void preamble(const Program& program, const std::vector<KernelUses>& uses, Source& out) {
  auto line = [&](const std::string& text) {
    out.text += text + "\n";
    out.lines.push_back({});
  };
  std::set<std::string_view> headers;  // that operations and tokens need
  for (const KernelUses& kernel : uses) headers.insert(kernel.preambles.begin(), kernel.preambles.end());
  auto is = [](ir::DType::Code code, int bits) {
    return [=](ir::DType t) { return t.code == code && t.bits == bits; };
  };
  const bool hasMaps = std::ranges::any_of(program.kernels, [](const Kernel& k) { return !k.maps.empty(); });
  if (hasMaps) line("struct alignas(64) TensorMap { unsigned long long words[16]; };");
  if (std::ranges::any_of(program.kernels, [](const Kernel& k) { return lower::isOfCopyEngine(k.body); }))
    for (const char* text :
         {"__device__ __forceinline__ bool elect_one() {", "  unsigned elected;",
          "  asm volatile(\"{\\n.reg .pred p;\\nelect.sync _|p, 0xffffffff;\\nselp.u32 %0, 1, 0, p;\\n}\"",
          "               : \"=r\"(elected));", "  return elected;", "}"})
      line(text);
  if (hasMaps)
    for (const char* text : {"__device__ __forceinline__ void prefetch_map(const TensorMap& map) {",
                             "  asm volatile(\"prefetch.tensormap [%0];\" ::\"l\"(&map) : \"memory\");", "}"})
      line(text);
  if (anyType(program, is(ir::DType::Code::Float, 16))) line("#include <cuda_fp16.h>");
  if (anyType(program, is(ir::DType::Code::BFloat, 16))) line("#include <cuda_bf16.h>");
  if (anyType(program, [](ir::DType t) { return t.isFloat() && t.bits == 8; })) line("#include <cuda_fp8.h>");
  for (std::string_view header : headers) {
    for (; !header.empty(); header.remove_prefix(header.find('\n') + 1))
      line(std::string(header.substr(0, header.find('\n'))));
  }
  if (!out.text.empty()) line("");
}

// Where the buffer's elements lie, as far as that is constant.
void placeBuffer(GlobalBuffer& g, const Buffer& b) {
  g.shape.clear();
  g.strides.clear();
  g.start = 0;
  for (const Expr& e : b->shape) g.shape.push_back(ir::constantOr(e, 0));
  const auto layout = ir::elementLayout(*b);
  if (ir::isPacked(b->dtype)) {  // as the kernels have it
    if (layout) g.shape = {ir::bytesOf(b->dtype, layout->footprint())};
    return;
  }
  if (!layout || layout->compact()) return;
  g.strides = layout->strides;
  g.start = layout->start;
}

GlobalBuffer describeBuffer(const Buffer& b, std::vector<std::int64_t> shape, bool temporary) {
  GlobalBuffer g;
  g.name = identifier(b->name);
  g.dtype = ir::isPacked(b->dtype) ? ir::DType::UInt(8) : b->dtype;
  g.shape = std::move(shape);
  g.temporary = temporary;
  return g;
}

}  // namespace

std::int64_t GlobalBuffer::elements() const {
  std::int64_t n = 1;
  for (std::int64_t extent : shape) n *= extent;
  if (n == 0 || (strides.empty() && start == 0)) return n;
  return ir::ElementLayout{shape, strides, start}.footprint();
}

Source generate(const Program& program, const Options& options) {
  Source out;
  std::vector<KernelUses> usesOfKernels;
  for (const Kernel& k : program.kernels) usesOfKernels.push_back(usesOf(k));
  preamble(program, usesOfKernels, out);
  // Kernels know buffers by their data variable, which a flat buffer shares with the one it comes from.
  std::unordered_map<const ir::VarNode*, int> slot;
  out.symbols = program.symbols;
  out.needs = requirementOf(program);
  out.factorDigits = factorDigitsOf(program);
  for (const ir::Parameter& p : program.params) {
    if (!p.buffer) continue;
    slot[p.buffer->data.get()] = int(out.buffers.size());
    out.buffers.push_back(describeBuffer(p.buffer, {}, false));
    placeBuffer(out.buffers.back(), p.buffer);
  }
  for (const auto& t : program.host.temporaries) {
    slot[t.buffer->data.get()] = int(out.buffers.size());
    out.buffers.push_back(describeBuffer(t.buffer, {t.elements}, true));
    if (!ir::asInt(t.buffer->shape[0])) out.buffers.back().count = t.buffer->shape[0];
  }
  for (int index : program.host.launches) {
    const Kernel& k = program.kernels[index];
    KernelLaunch launch;
    launch.name = identifier(k.name);
    launch.grid = k.grid;
    launch.gridExtents = k.gridExtents;
    launch.block = k.block;
    for (const Kernel::Scalar& s : k.scalars)
      launch.scalars.push_back({identifier(s.name), s.var->dtype, numberOf(s.value)});
    launch.singleThread = k.singleThread;
    for (const TensorMap& m : k.maps)
      launch.maps.push_back(
          {identifier(m.name), slot.at(m.buffer->data.get()), m.extents, m.strides, m.box, m.swizzle});
    const KernelUses& uses = usesOfKernels[std::size_t(index)];
    for (const Buffer& b : k.params) {
      int at = slot.at(b->data.get());
      launch.arguments.push_back(at);
      out.buffers[at].read |= uses.read.count(b.get()) != 0;
      out.buffers[at].written |= uses.written.count(b.get()) != 0;
      if (!ir::asInt(b->shape[0])) out.buffers[at].count = b->shape[0];
    }
    if (index != program.host.launches.front()) {
      out.text += "\n";
      out.lines.push_back({});
    }
    writeKernel(k, uses, program.symbols, options, out, launch);
    out.launches.push_back(std::move(launch));
  }
  return out;
}

int lineOf(const Source& source, int statement) {
  if (statement < 0) return 0;
  const auto found = std::ranges::find(source.lines, statement, &LineOrigin::statement);
  return found == source.lines.end() ? 0 : int(found - source.lines.begin()) + 1;
}

Source launchedAs(Source source, const Program& instance) {
  std::size_t at = 0;
  for (const ir::Parameter& p : instance.params) {
    if (!p.buffer) continue;
    source.buffers[at].count = nullptr;
    placeBuffer(source.buffers[at++], p.buffer);
  }
  for (const auto& t : instance.host.temporaries) {
    source.buffers[at].count = nullptr;
    source.buffers[at++].shape = {t.elements};
  }
  for (std::size_t i = 0; i < source.launches.size(); ++i) {
    const Kernel& k = instance.kernels.at(std::size_t(instance.host.launches.at(i)));
    source.launches[i].grid = k.grid;
    source.launches[i].gridExtents = {};
    for (std::size_t s = 0; s < k.scalars.size(); ++s)
      source.launches[i].scalars[s].value = numberOf(k.scalars[s].value);
    for (std::size_t m = 0; m < k.maps.size(); ++m) {
      TensorMapArgument& map = source.launches[i].maps.at(m);
      map.extents = k.maps[m].extents;
      map.strides = k.maps[m].strides;
      map.box = k.maps[m].box;
    }
  }
  source.symbols.clear();
  return source;
}

std::string symbolText(const Expr& e, const std::vector<ir::Symbol>& symbols) {
  arith::Analyzer analyzer;
  lower::bindSymbols(analyzer, symbols);
  auto name = [&](const ir::VarNode* v) {
    auto known = std::find_if(symbols.begin(), symbols.end(), [&](const auto& s) { return s.var.get() == v; });
    return identifier(known == symbols.end() ? v->name : known->name);
  };
  ExpressionPrinter printer(
      name, [](const ir::BufferNode* b) { return identifier(b->name); }, analyzer);
  return printer.print(e);
}

std::string withoutComments(const std::string& source) {
  std::string out;
  std::size_t at = 0;
  while (at < source.size()) {
    std::size_t end = source.find('\n', at);
    if (end == std::string::npos) end = source.size();
    std::string_view line(source.data() + at, end - at);
    std::size_t first = line.find_first_not_of(' ');
    if (first != std::string_view::npos && line.substr(first, 2) != "//") out.append(line).push_back('\n');
    at = end + 1;
  }
  return out;
}

}  // namespace loom::codegen
