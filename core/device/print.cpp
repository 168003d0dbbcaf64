#include <fmt/format.h>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/ir/build.h"

// A plain text of device programs, close to C, for people and tests. The expressions print with the least parentheses.
namespace loom::device {
namespace {

using ir::ExprKind;

int precedence(ExprKind k) {
  switch (k) {
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::FloorDiv:
    case ExprKind::FloorMod: return 5;
    case ExprKind::Add:
    case ExprKind::Sub: return 4;
    case ExprKind::And: return 2;
    case ExprKind::Or: return 1;
    default: return ir::isComparison(k) ? 3 : 6;
  }
}

std::string text(const Expr& e, int outer = 0);

// "S[i, j]", and of vectors that are not flat yet "S[i, j: 8 lanes]".
std::string element(const Buffer& buffer, const std::vector<Expr>& at, int lanes) {
  std::string indices;
  for (const Expr& index : at) indices += (indices.empty() ? "" : ", ") + text(index);
  const bool flat = !at.empty() && at.back()->dtype.lanes > 1;
  return fmt::format("{}[{}{}]", buffer->name, indices, lanes > 1 && !flat ? fmt::format(": {} lanes", lanes) : "");
}
std::string element(const BufferPlace& place) { return element(place.buffer, place.at, place.lanes); }

std::string binaryText(const ir::BinaryNode& n, int outer) {
  static const char* kSigns[] = {" + ",  " - ",  " * ", " / ",  " % ", " // ", " %% ", "min", "max",
                                 " == ", " != ", " < ", " <= ", " > ", " >= ", " && ", " || "};
  const char* sign = kSigns[int(n.kind) - int(ExprKind::Add)];
  if (n.kind == ExprKind::Min || n.kind == ExprKind::Max) return fmt::format("{}({}, {})", sign, text(n.a), text(n.b));
  int own = precedence(n.kind);
  std::string s = text(n.a, own) + sign + text(n.b, own + 1);
  return own < outer ? "(" + s + ")" : s;
}

std::string text(const Expr& e, int outer) {
  if (auto* b = ir::asBinary(e)) return binaryText(*b, outer);
  switch (e->kind) {
    case ExprKind::Var: return ir::as<ir::VarNode>(e)->name;
    case ExprKind::IntImm: return std::to_string(ir::as<ir::IntImmNode>(e)->value);
    case ExprKind::FloatImm: return fmt::format("{}", ir::as<ir::FloatImmNode>(e)->value);
    case ExprKind::StringImm: return '"' + ir::as<ir::StringImmNode>(e)->value + '"';
    case ExprKind::Not: return "!" + text(ir::as<ir::NotNode>(e)->a, 6);
    case ExprKind::Cast: return fmt::format("{}({})", e->dtype.str(), text(ir::as<ir::CastNode>(e)->value));
    case ExprKind::Select: {
      const auto& n = *ir::as<ir::SelectNode>(e);
      return fmt::format("select({}, {}, {})", text(n.condition), text(n.yes), text(n.no));
    }
    case ExprKind::Load: {
      const auto& n = *ir::as<ir::LoadNode>(e);
      return element(n.buffer, n.indices, n.dtype.lanes);
    }
    case ExprKind::Call: {
      const auto& n = *ir::as<ir::CallNode>(e);
      std::string args;
      for (const Expr& a : n.args) args += (args.empty() ? "" : ", ") + text(a);
      return n.op + "(" + args + ")";
    }
    case ExprKind::Ramp: {
      const auto& n = *ir::as<ir::RampNode>(e);
      return fmt::format("ramp({}, {}, {})", text(n.base), text(n.stride), e->dtype.lanes);
    }
    case ExprKind::Broadcast:
      return fmt::format("broadcast({}, {})", text(ir::as<ir::BroadcastNode>(e)->value), e->dtype.lanes);
    default: return "?";
  }
}

class Printer {
 public:
  std::string out;
  const Kernel* kernel = nullptr;  // whose statements are printed

  void stmt(const Stmt& s, int depth) {
    if (!s) return;
    std::string pad(depth * 2, ' ');
    switch (s->kind) {
      case StmtKind::Seq:
        for (const Stmt& c : as<SeqNode>(s)->stmts) stmt(c, depth);
        break;
      case StmtKind::Loop: {
        const auto& n = *as<LoopNode>(s);
        static constexpr const char* kUses[] = {"", "unrolled ", "vectorized ", "virtual "};
        out += fmt::format("{}{}for {} in {}:\n", pad, kUses[int(n.use)], n.var->name, text(n.extent));
        stmt(n.body, depth + 1);
        break;
      }
      case StmtKind::If: {
        const auto& n = *as<IfNode>(s);
        out +=
            fmt::format("{}if {}:{}\n", pad, text(n.condition), n.standsForAll ? "  # one thread stands for all" : "");
        stmt(n.yes, depth + 1);
        if (n.no) {
          out += pad + "else:\n";
          stmt(n.no, depth + 1);
        }
        break;
      }
      case StmtKind::Store: {
        const auto& n = *as<StoreNode>(s);
        out += fmt::format("{}{} = {}{}\n", pad, element(n.to), text(n.value), n.loadsHere ? "  # loaded here" : "");
        break;
      }
      case StmtKind::Operation: {
        const auto& n = *as<OperationNode>(s);
        const OperandTexts texts{
            [](const BufferPlace& p) { return element(p); },
            nullptr,
            nullptr,
            nullptr,
            [](const Expr& e) { return text(e); },
            [this](int b) { return b < 0 ? "an mbarrier" : kernel->mbarriers[std::size_t(b)].buffer->name; },
            [this](int m) { return kernel->maps[std::size_t(m)].name; }};
        out += pad + filled(n.row->print, n, texts) + "\n";
        break;
      }
      case StmtKind::Sync: {
        const SyncNames names{[](const Buffer& b) { return b->name; }, [](const Expr& e) { return text(e); }};
        out += pad + textOf(*as<SyncNode>(s), false, *kernel, names) + "\n";
        break;
      }
      case StmtKind::Block:
        if (const std::string& name = as<BlockNode>(s)->name; !name.empty()) out += fmt::format("{}# {}\n", pad, name);
        stmt(as<BlockNode>(s)->body, depth);
        break;
    }
  }
};

// What is special of where an allocation and its elements lie.
std::string placeText(const Allocation& a) {
  std::string text;
  for (const layout::Stage& stage : a.layout.stages()) {
    if (auto* x = std::get_if<layout::XorStage>(&stage))
      text += fmt::format(", element ^= (element >> {} & {}) << {}", x->base + x->shift, (1 << x->bits) - 1, x->base);
  }
  if (a.offset >= 0) text += fmt::format(", at byte {}", a.offset);
  return text;
}

std::string mapText(const TensorMap& m) {
  std::string box;
  for (std::int64_t extent : m.box) box += fmt::format("{}{}", box.empty() ? "" : ", ", extent);
  return fmt::format("  map {} of {}: boxes [{}]{}\n", m.name, m.buffer->name, box,
                     m.swizzle ? fmt::format(", swizzled by {} bytes", m.swizzle) : "");
}

}  // namespace

std::string print(const Program& program) {
  Printer p;
  for (const auto& t : program.host.temporaries) {
    p.out += fmt::format("temporary {} {}[{}]\n", t.buffer->dtype.str(), t.buffer->name, text(t.buffer->shape[0]));
  }
  for (int launch : program.host.launches) p.out += fmt::format("launch {}\n", program.kernels[launch].name);
  for (const Kernel& k : program.kernels) {
    std::string params;
    for (const Buffer& b : k.params) params += (params.empty() ? "" : ", ") + b->name;
    for (const Kernel::Scalar& s : k.scalars) params += (params.empty() ? "" : ", ") + s.name;
    std::array<std::string, 3> grid;
    for (int axis = 0; axis < 3; ++axis)
      grid[axis] = k.gridExtents[axis] ? text(k.gridExtents[axis]) : std::to_string(k.grid[axis]);
    p.out += fmt::format("kernel {}({}) <<<({}, {}, {}), ({}, {}, {})>>>\n", k.name, params, grid[0], grid[1], grid[2],
                         k.block[0], k.block[1], k.block[2]);
    if (k.blocksOfCluster() > 1)
      p.out += fmt::format("  clusters of {} x {} x {} blocks\n", k.cluster[0], k.cluster[1], k.cluster[2]);
    for (const Allocation& a : k.allocations) {
      p.out += fmt::format("  {} {} {}[{}]{}\n", nameOf(a.memory), a.buffer->dtype.str(), a.buffer->name, a.elements,
                           placeText(a));
    }
    for (const TensorMap& m : k.maps) p.out += mapText(m);
    p.kernel = &k;
    p.stmt(k.body, 1);
  }
  return std::move(p.out);
}

}  // namespace loom::device
