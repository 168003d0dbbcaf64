#include "core/gpu/host_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/codegen/expression.h"
#include "core/codegen/names.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::gpu {
namespace {

// In long long, whatever the symbols are.
std::string wideText(const ir::Expr& e, const std::vector<ir::Symbol>& symbols) {
  const ir::DType wide = ir::DType::Int(64);
  ir::VarMap twins;
  for (const ir::Symbol& s : symbols) twins[s.var.get()] = ir::cast(wide, s.var);
  struct Widening : ir::Mutator {
    explicit Widening(const ir::VarMap& twins) : twins(twins) {}
    const ir::VarMap& twins;
    ir::Expr rewrite(const ir::Expr& e) override {
      if (const auto* i = ir::asInt(e)) return ir::intImm(i->value, ir::DType::Int(64));
      if (const auto* v = ir::asVar(e)) return twins.count(v) ? twins.at(v) : e;
      if (e->kind == ir::ExprKind::Cast && e->dtype.isIntegral()) return rewrite(ir::as<ir::CastNode>(e)->value);
      if (const auto* b = ir::asBinary(e); b && !ir::isComparison(b->kind))
        return ir::fold(b->kind, rewrite(b->a), rewrite(b->b));
      return e;
    }
  };
  return codegen::symbolText(Widening(twins).rewrite(e), symbols);
}

bool isLaunchedWith(const codegen::Source& s, const ir::Symbol& symbol) {
  return std::any_of(s.launches.begin(), s.launches.end(), [&](const codegen::KernelLaunch& l) {
    const bool passed =
        std::any_of(l.scalars.begin(), l.scalars.end(), [&](const auto& number) { return number.name == symbol.name; });
    return passed || std::any_of(l.gridExtents.begin(), l.gridExtents.end(), [&](const ir::Expr& extent) {
             return extent && ir::usesVar(extent, [&](const ir::VarNode* v) { return v == symbol.var.get(); });
           });
  });
}

std::string startOf(const codegen::Source& s, const std::vector<std::string>& called, const ir::Numbers& numbers,
                    std::string& usage) {
  std::string text = "int main(int argc, char** argv) {\n", takes;
  for (std::size_t i = 0; i < s.symbols.size(); ++i) {
    const ir::DType type = s.symbols[i].var->dtype;
    const std::string& name = s.symbols[i].name;
    const auto given = numbers.find(called[i]);
    const double value = given == numbers.end() ? 1 : given->second;
    text += fmt::format("  {} {} = {};\n", codegen::typeName(type), name,
                        type.isFloat() ? codegen::floatLiteral(value, type) : fmt::format("{:.0f}", value));
    usage += fmt::format(" [{}={:g}]", called[i], value);
    takes += fmt::format("{}take(argv[a], \"{}\", {})", takes.empty() ? "" : " || ", called[i], name);
  }
  text += fmt::format(R"(  for (int a = 1; a < argc; ++a) {{
    if ({}) continue;
    std::fprintf(stderr, "usage: kernel{}\nChecks the kernel, then times it.\n");
    return 64;
  }}
)",
                      takes, usage);
  for (std::size_t i = 0; i < s.symbols.size(); ++i) {
    if (s.symbols[i].role == ir::SymbolRole::Number) continue;
    text += fmt::format(R"(  if ({0} < {1}) {{
    std::fprintf(stderr, "{2} must be at least {1}\n");
    return 64;
  }}
)",
                        s.symbols[i].name, s.symbols[i].role == ir::SymbolRole::Extent ? 1 : 0, called[i]);
  }
  return text;
}

}  // namespace

codegen::Source renamed(const codegen::Source& source, ir::VarMap& symbols) {
  codegen::Source s = source;
  // Pointers in the host program must not hide names of its own.
  codegen::Names names;
  for (const char* own : {"stream", "run",  "reference", "randomize", "main",  "devices", "count",   "sums",
                          "sizes",  "size", "expected",  "got",       "worst", "value",   "error",   "allowed",
                          "start",  "stop", "once",      "repeats",   "graph", "many",    "samples", "ms",
                          "us",     "i",    "std",       "CHECK",     "argc",  "status",  "mapOf",   "TensorMap"}) {
    names.reserve(own);
  }
  if (!s.symbols.empty()) {
    for (const char* own : {"argv", "a", "take", "rows", "columns", "depth"}) names.reserve(own);
  }
  for (const auto& l : s.launches) names.reserve(l.name);
  for (auto& b : s.buffers) b.name = names.unique(b.name);
  // Each launch has its own: kernels may call different maps alike.
  for (auto& l : s.launches)
    for (auto& m : l.maps) m.name = names.unique(m.name);
  std::map<std::string, std::string> numbers;
  for (auto& symbol : s.symbols) {
    const ir::Var var = ir::makeVar(names.unique(symbol.name), symbol.var->dtype);
    symbols[symbol.var.get()] = var;
    numbers[codegen::identifier(symbol.name)] = var->name;
    symbol.var = var;
    symbol.name = var->name;
  }
  for (auto& l : s.launches) {
    for (ir::Expr& extent : l.gridExtents)
      if (extent) extent = ir::substitute(extent, symbols);
    for (auto& number : l.scalars) {
      if (auto found = numbers.find(number.name); found != numbers.end()) number.name = found->second;
    }
  }
  for (auto& b : s.buffers)
    if (b.count) b.count = ir::substitute(b.count, symbols);
  return s;
}

HostText constantText(const codegen::Source& s, const std::optional<Matmul>& m) {
  HostText t;
  for (const auto& b : s.buffers) {
    t.elements.push_back(fmt::format("{}ll", b.elements()));
    t.bytes.push_back(fmt::format("{}ll", b.bytes()));
  }
  t.main = R"(int main(int argc, char**) {
  if (argc > 1) {
    std::fprintf(stderr, "usage: kernel\nChecks the kernel, then times it.\n");
    return 64;
  }
)";
  if (!m) return t;
  t.types = m;
  t.reference = referenceSource(*m);
  t.count = fmt::format("{}ll", m->results());
  t.flops = fmt::format("{}", m->flops());
  const MatrixPlaces p = m->placesD();
  const std::string row = m->batch == 1 ? fmt::format("i / {}", m->n) : fmt::format("i / {} % {}", m->n, m->m);
  t.place = m->ownD ? fmt::format("{} + {} * {} + i % {} * {}", p.start, row, p.row, m->n, p.column) : "i";
  if (m->ownD && m->batch > 1) t.place += fmt::format(" + i / {} * {}", m->m * m->n, p.batch);
  t.held = m->ownD ? fmt::format("{}ll", s.buffers[std::size_t(m->d)].elements()) : "count";
  return t;
}

HostText symbolicText(const codegen::Source& s, const std::vector<std::string>& called, const ir::Numbers& numbers,
                      const std::optional<SymbolicMatmul>& m, const ir::VarMap& symbols) {
  HostText t;
  std::string usage;
  t.main = startOf(s, called, numbers, usage);
  t.numbers =
      fmt::format("It takes numbers as arguments, `build/kernel{}`; those that aren't given are as shown.\n\n", usage);
  bool wide = false;
  for (const ir::Symbol& symbol : s.symbols) {
    if (isLaunchedWith(s, symbol)) {
      t.parameters += fmt::format(", {} {}", codegen::typeName(symbol.var->dtype), symbol.name);
      t.arguments += ", " + symbol.name;
    }
    wide = wide || (symbol.var->dtype.isIntegral() && symbol.var->dtype.bits > 32);
  }
  for (const auto& b : s.buffers) {
    if (!b.count) {
      t.elements.push_back(fmt::format("{}ll", b.elements()));
      t.bytes.push_back(fmt::format("{}ll", b.bytes()));
      continue;
    }
    const std::string elements = wideText(b.count, s.symbols);
    t.elements.push_back(elements);
    t.bytes.push_back(fmt::format("({}) * {}", elements, b.dtype.bytes()));
    if (wide) continue;
    t.main += fmt::format(R"(  if ({0} > 2147483647ll) {{
    std::fprintf(stderr, "{1} has more elements than the kernel's 32-bit indices reach\n");
    return 64;
  }}
)",
                          elements, b.name);
  }
  if (!m) return t;
  auto text = [&](const ir::Expr& e) { return wideText(ir::substitute(e, symbols), s.symbols); };
  t.types = m->types;
  t.reference = symbolicReferenceSource(m->types);
  t.main += fmt::format("  const long long rows = {}, columns = {}, depth = {};\n", text(m->m), text(m->n), text(m->k));
  t.referenceArguments = ", rows, columns, depth";
  for (const ir::Expr& e : {m->a.start, m->a.row, m->a.column, m->b.start, m->b.row, m->b.column})
    t.referenceArguments += ", " + text(e);
  t.count = "rows * columns";
  t.flops = "2.0 * rows * columns * depth";
  t.place = fmt::format("({}) + i / columns * ({}) + i % columns * ({})", text(m->d.start), text(m->d.row),
                        text(m->d.column));
  t.held = t.elements[std::size_t(m->types.d)];
  return t;
}

}  // namespace loom::gpu
