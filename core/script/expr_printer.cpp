#include "core/script/expr_printer.h"

#include <algorithm>
#include <array>

#include "core/ir/build.h"
#include "core/script/literal.h"

namespace loom::script {

using namespace ir;

namespace {

struct Operator {
  std::string_view sign, name;  // `a + b`, or T.Add(a, b) where the sign would fold
  Precedence precedence;
};

// In the order of ExprKind, from Add to Or. No sign: always a call.
constexpr std::array<Operator, 17> kOperators = {{
    {" + ", "T.Add(", Precedence::Sum},
    {" - ", "T.Sub(", Precedence::Sum},
    {" * ", "T.Mul(", Precedence::Product},
    {" / ", "T.Div(", Precedence::Product},
    {"", "T.truncmod(", Precedence::Atom},
    {" // ", "T.FloorDiv(", Precedence::Product},
    {" % ", "T.FloorMod(", Precedence::Product},
    {"", "T.min(", Precedence::Atom},
    {"", "T.max(", Precedence::Atom},
    {" == ", "T.EQ(", Precedence::Comparison},
    {" != ", "T.NE(", Precedence::Comparison},
    {" < ", "T.LT(", Precedence::Comparison},
    {" <= ", "T.LE(", Precedence::Comparison},
    {" > ", "T.GT(", Precedence::Comparison},
    {" >= ", "T.GE(", Precedence::Comparison},
    {" and ", "T.And(", Precedence::And},
    {" or ", "T.Or(", Precedence::Or},
}};

bool isImmediate(const Expr& e) {
  return e->kind == ExprKind::IntImm || e->kind == ExprKind::FloatImm || e->kind == ExprKind::Broadcast;
}

// Whether Python's operator, applied again by the parser, gives back this very node.
bool survivesFolding(const BinaryNode& n) {
  if (n.a->dtype != n.b->dtype) return false;
  if (n.kind == ExprKind::Div && !n.a->dtype.isFloat()) return false;
  if (!isImmediate(n.a) && !isImmediate(n.b)) return true;
  Expr again = fold(n.kind, n.a, n.b);
  auto* same = asBinary(again, n.kind);
  return same && (n.kind == ExprKind::Div || (same->a == n.a && same->b == n.b));
}

// Operators whose result type is an argument of the call: before the others or after them.
enum class TypeArgument { None, First, Last };
TypeArgument typeArgument(std::string_view op) {
  constexpr std::string_view kFirst[] = {"call_extern",
                                         "call_llvm_intrin",
                                         "call_llvm_pure_intrin",
                                         "call_pure_extern",
                                         "dp4a",
                                         "get_active_lane_mask",
                                         "ignore_loop_partition",
                                         "mma_fill",
                                         "mma_store",
                                         "ptx_cp_async",
                                         "ptx_cp_async_bulk",
                                         "ptx_ldmatrix",
                                         "ptx_mma",
                                         "ptx_mma_sp",
                                         "reinterpret",
                                         "type_annotation",
                                         "vectorcombine",
                                         "vectorhigh",
                                         "vectorlow"};
  if (op == "tvm_struct_get") return TypeArgument::Last;
  return std::binary_search(std::begin(kFirst), std::end(kFirst), op) ? TypeArgument::First : TypeArgument::None;
}

std::string_view printedName(std::string_view op) {
  if (op.starts_with("tvm_call_")) return op.substr(4);
  return op;
}

}  // namespace

Text ExprPrinter::text(const Expr& e) {
  Text out;
  print(out, e);
  return out;
}

void ExprPrinter::list(Text& out, const std::vector<Expr>& exprs) {
  bool first = true;
  for (const Expr& e : exprs) {
    if (!first) out << ", ";
    first = false;
    print(out, e);
  }
}

void ExprPrinter::binary(Text& out, const BinaryNode& n, Precedence around, bool strict) {
  const Operator& op = kOperators[static_cast<std::size_t>(n.kind) - static_cast<std::size_t>(ExprKind::Add)];
  if (op.sign.empty() || !survivesFolding(n)) {
    out << op.name;
    print(out, n.a);
    out << ", ";
    print(out, n.b);
    out << ")";
    return;
  }
  bool wrap = op.precedence < around || (strict && op.precedence == around);
  if (wrap) out << "(";
  print(out, n.a, op.precedence);
  out << op.sign;
  print(out, n.b, op.precedence, true);
  if (wrap) out << ")";
}

void ExprPrinter::call(Text& out, const CallNode& n) {
  TypeArgument where = typeArgument(n.op);
  out << "T." << printedName(n.op) << "(";
  bool first = true;
  auto separate = [&] {
    if (!first) out << ", ";
    first = false;
  };
  auto type = [&] {
    separate();
    out << "\"" << n.dtype.str() << "\"";
  };
  if (where == TypeArgument::First) type();
  for (const Expr& arg : n.args) {
    separate();
    print(out, arg);
  }
  if (where == TypeArgument::Last) type();
  out << ")";
}

void ExprPrinter::print(Text& out, const Expr& e, Precedence around, bool strict) {
  switch (e->kind) {
    case ExprKind::Var: out << name(*as<VarNode>(e)); return;
    case ExprKind::IntImm: {
      auto value = asInt(e)->value;
      if (e->dtype == DType::Int(32)) {
        out << std::to_string(value);
      } else if (e->dtype == DType::Bool()) {
        out << (value ? "T.bool(True)" : "T.bool(False)");
      } else {
        out << "T." << e->dtype.str() << "(" << std::to_string(value) << ")";
      }
      return;
    }
    case ExprKind::FloatImm:
      out << "T." << e->dtype.str() << "(" << floatLiteral(as<FloatImmNode>(e)->value) << ")";
      return;
    case ExprKind::StringImm: {
      const std::string& value = as<StringImmNode>(e)->value;
      if (value.find('\n') == std::string::npos) {
        out << stringLiteral(value);
        return;
      }
      auto it = std::find(metadata_.begin(), metadata_.end(), value);
      out << "metadata[\"tir.StringImm\"][" << std::to_string(it - metadata_.begin()) << "]";
      if (it == metadata_.end()) metadata_.push_back(value);
      return;
    }
    case ExprKind::Not: {
      bool wrap = Precedence::Not < around || (strict && around == Precedence::Not);
      out << (wrap ? "(not " : "not ");
      print(out, as<NotNode>(e)->a, Precedence::Not);
      if (wrap) out << ")";
      return;
    }
    case ExprKind::Cast:
      out << "T.Cast(\"" << e->dtype.str() << "\", ";
      print(out, as<CastNode>(e)->value);
      out << ")";
      return;
    case ExprKind::Select: {
      auto* n = as<SelectNode>(e);
      out << "T.Select(";
      list(out, {n->condition, n->yes, n->no});
      out << ")";
      return;
    }
    case ExprKind::Load: {
      auto* n = asLoad(e);
      std::size_t start = out.text.size();
      out << name(*n->buffer);
      index(out, n->indices);
      out.mark(start, Span::What::Load, n->buffer->id);
      return;
    }
    case ExprKind::Call: call(out, *asCall(e)); return;
    case ExprKind::Ramp: {
      auto* n = as<RampNode>(e);
      out << "T.Ramp(";
      list(out, {n->base, n->stride});
      out << ", " << std::to_string(e->dtype.lanes) << ")";
      return;
    }
    case ExprKind::Broadcast: {
      auto* n = as<BroadcastNode>(e);
      out << "T.Broadcast(";
      print(out, n->value);
      out << ", " << std::to_string(e->dtype.lanes) << ")";
      return;
    }
    case ExprKind::Let: {
      auto* n = as<LetNode>(e);
      std::string var = name(*n->var);
      Text value = text(n->value);
      out << "T.Let(";
      print(out, n->body);
      out << ", where={" << var << ": " << value << "})";
      return;
    }
    default: binary(out, *as<BinaryNode>(e), around, strict);
  }
}

void ExprPrinter::index(Text& out, const std::vector<Expr>& indices) {
  if (indices.empty()) {
    out << "[()]";
    return;
  }
  out << "[";
  bool first = true;
  for (const Expr& e : indices) {
    if (!first) out << ", ";
    first = false;
    auto* r = e->kind == ExprKind::Ramp ? as<RampNode>(e) : nullptr;
    if (!r || !asInt(r->stride)) {
      print(out, e);
      continue;
    }
    print(out, r->base);
    out << ":";
    print(out, r->base + intImm(e->dtype.lanes, r->stride->dtype) * r->stride);
    if (isConst(r->stride, 1)) continue;
    out << ":";
    print(out, r->stride);
  }
  out << "]";
}

void ExprPrinter::region(Text& out, const BufferRegion& r) {
  out << name(*r.buffer);
  if (r.region.empty()) {
    out << "[()]";
    return;
  }
  out << "[";
  bool first = true;
  for (const Range& range : r.region) {
    if (!first) out << ", ";
    first = false;
    print(out, range.min);
    if (isConst(range.extent, 1)) continue;
    out << ":";
    print(out, range.min + range.extent);
  }
  out << "]";
}

void ExprPrinter::annotation(Text& out, const AnnotationValue& value) {
  if (auto* list = std::get_if<AnnotationList>(&value.value)) {
    out << "[";
    bool first = true;
    for (const AnnotationValue& v : *list) {
      if (!first) out << ", ";
      first = false;
      annotation(out, v);
    }
    out << "]";
    return;
  }
  if (auto* dictionary = std::get_if<Annotations>(&value.value)) return annotations(out, *dictionary);
  const Expr& e = std::get<Expr>(value.value);
  if (!value.typed && e->kind == ExprKind::IntImm) {
    out << (e->dtype.isBool() ? (asInt(e)->value ? "True" : "False") : std::to_string(asInt(e)->value));
  } else if (!value.typed && e->kind == ExprKind::FloatImm) {
    out << floatLiteral(as<FloatImmNode>(e)->value);
  } else if (!value.typed && e->kind == ExprKind::StringImm) {  // of several lines, too: TVM keeps no StringImm there
    out << stringLiteral(as<StringImmNode>(e)->value);
  } else {
    print(out, e);
  }
}

void ExprPrinter::annotations(Text& out, const Annotations& values, Id owner) {
  out << "{";
  bool first = true;
  for (const auto& [key, value] : values) {
    if (!first) out << ", ";
    first = false;
    std::size_t start = out.text.size();
    out << stringLiteral(key) << ": ";
    annotation(out, value);
    if (owner) out.mark(start, Span::What::Annotation, owner);
  }
  out << "}";
}

const DefinitionScopes& ExprPrinter::scopes() {
  if (!scopes_) scopes_ = std::make_unique<DefinitionScopes>(*function_);
  return *scopes_;
}

// The innermost scope of those being printed in which all uses of an undefined object lie.
std::size_t ExprPrinter::scopeFor(const void* object) {
  if (!function_) return 0;
  const auto& path = scopes().pathOf(object);
  for (auto node = path.rbegin(); node != path.rend(); ++node) {
    if (std::size_t scope = writer_.scopeOf(*node); scope != ScriptWriter::npos) return scope;
  }
  std::size_t outermost = writer_.scopeOf(function_);
  return outermost == ScriptWriter::npos ? 0 : outermost;
}

const std::string& ExprPrinter::name(const VarNode& var) {
  if (auto* written = writer_.find(&var)) return *written;
  std::size_t scope = scopeFor(&var);
  const std::string& name = defineVar(var, scope);
  if (function_) writer_.emitIn(scope, name + " = " + creation(var));
  return name;
}

const std::string& ExprPrinter::name(const BufferNode& buffer) {
  if (auto* written = writer_.find(&buffer)) return *written;
  std::size_t scope = scopeFor(&buffer);
  if (function_) {
    declareBuffer(buffer, "Buffer", {}, scope);
    return *writer_.find(&buffer);
  }
  return defineBuffer(buffer, scope);
}

std::string ExprPrinter::creation(const VarNode& var) {
  if (!var.dtype.isHandle()) return "T." + var.dtype.str() + "()";
  const BufferNode* b = function_ ? scopes().bufferOf(&var) : nullptr;
  if (!b) return "T.handle()";
  return "T.handle(\"" + b->dtype.str() + "\", \"" + b->scope + "\")";
}

const std::string& ExprPrinter::defineVar(const VarNode& var, std::size_t scope) {
  return writer_.define(&var, var.name.empty() ? "v" : var.name, scope);
}

const std::string& ExprPrinter::defineBuffer(const BufferNode& buffer, std::size_t scope) {
  return writer_.define(&buffer, buffer.name.empty() ? "buffer" : buffer.name, scope);
}

}  // namespace loom::script
