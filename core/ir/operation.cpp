#include "core/ir/operation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "core/ir/build.h"
#include "core/ir/called.h"
#include "core/ir/packed.h"

namespace loom::ir {
namespace {

using Result = Operation::Result;
constexpr DType kInt32 = DType::Int(32), kBool = DType::Bool(), kHandle = DType::Handle();

// Sorted by name. Results are those of TVM 0.22 (python/tvm/tir/op.py); what a kernel takes is more than TVM's CUDA
// has.
constexpr Operation kOperations[] = {
    {"acos"},
    {"acosh"},
    {"asin"},
    {"asinh"},
    {"assume", 1, kNoTypes, Result::Fixed, kBool, Refusal::OfPrograms, false},
    {"atan"},
    {"atan2", 2},
    {"atanh"},
    {"bitwise_and", 2, kWholeNumbers | kBools},
    {"bitwise_not", 1, kWholeNumbers | kBools},
    {"bitwise_or", 2, kWholeNumbers | kBools},
    {"bitwise_xor", 2, kWholeNumbers | kBools},
    {"call_llvm_intrin", -1, kNoTypes, Result::Named, {}, Refusal::OfLlvm, false},
    {"call_llvm_pure_intrin", -1, kNoTypes, Result::Named, {}, Refusal::OfLlvm, false},
    {"ceil"},
    {"clz", 1, kWholeNumbers, Result::Fixed, kInt32},
    {"copysign", 2},
    {"cos"},
    {"cosh"},
    {"dp4a", -1, kNoTypes, Result::Fixed, kInt32, Refusal::NoText, false},
    {"erf"},
    {"exp"},
    {"exp10"},
    {"exp2"},
    {"fabs"},
    {"floor"},
    {"fma", 3},
    {"fmod", 2},
    {"hypot", 2},
    {"if_then_else", 3, kAnyScalar},
    {"ignore_loop_partition", 1, kBools, Result::Fixed, kBool, {}, false},
    {"isfinite", 1, kFloats, Result::Fixed, kBool},
    {"isinf", 1, kFloats, Result::Fixed, kBool},
    {"isnan", 1, kFloats, Result::Fixed, kBool},
    {"isnullptr", 1, kNoTypes, Result::Fixed, kBool, Refusal::OfPointer},
    {"large_uint_imm", 2, kWholeNumbers, Result::Named},
    {"ldexp", 2},
    {"likely", 1, kAnyScalar},
    {"log"},
    {"log10"},
    {"log1p"},
    {"log2"},
    {"lookup_param", 1, kNoTypes, Result::Fixed, kHandle, Refusal::Handle, false},
    {"nearbyint"},
    {"nextafter", 2, kSingleDouble},
    {"popcount", 1, kWholeNumbers},
    {"pow", 2},
    {"q_multiply_shift", 4, kWholeNumbers, Result::Fixed, kInt32},
    {"q_multiply_shift_per_axis", 7, kWholeNumbers | kBools, Result::Fixed, kInt32},
    {"reinterpret", 1, kNumbers, Result::Named},
    {"ret", 1, kNoTypes, Result::Like, {}, Refusal::Returns, false},
    {"round"},
    {"rsqrt"},
    {"shift_left", 2, kWholeNumbers | kBools},
    {"shift_right", 2, kWholeNumbers | kBools},
    {"sigmoid"},
    {"sin"},
    {"sinh"},
    {"sqrt"},
    {"tan"},
    {"tanh"},
    {"trunc"},
    {"tvm_thread_invariant", 1, kAnyScalar, Result::Like, {}, {}, false},
    {"undef", 0, kNoTypes, Result::Fixed, kInt32, Refusal::NoValue, false},
    {"vscale", 0, kNoTypes, Result::Fixed, kInt32, Refusal::Scalable},
};

constexpr DType kSingle = DType::Float(32), kDouble = DType::Float(64), kInt = DType::Int(32),
                kUnsigned = DType::UInt(32), kLong = DType::Int(64), kUnsignedLong = DType::UInt(64);

constexpr ExternalFunction kExternal[] = {
    {"__clz", 1, kInt, "clz"},
    {"__clzll", 1, kLong, "clz"},
    {"__cosf", 1, kSingle, "cos"},
    {"__dp4a", 3, kInt, ""},
    {"__exp10f", 1, kSingle, "exp10"},
    {"__expf", 1, kSingle, "exp"},
    {"__fdividef", 2, kSingle, "divide"},
    {"__fmaf_rn", 3, kSingle, "fma"},
    {"__frcp_rn", 1, kSingle, "reciprocal"},
    {"__frsqrt_rn", 1, kSingle, "rsqrt"},
    {"__fsqrt_rn", 1, kSingle, "sqrt"},
    {"__log10f", 1, kSingle, "log10"},
    {"__log2f", 1, kSingle, "log2"},
    {"__logf", 1, kSingle, "log"},
    {"__popc", 1, kUnsigned, "popcount"},
    {"__popcll", 1, kUnsignedLong, "popcount"},
    {"__powf", 2, kSingle, "pow"},
    {"__saturatef", 1, kSingle, ""},
    {"__sinf", 1, kSingle, "sin"},
    {"__tanf", 1, kSingle, "tan"},
    {"fmax", 2, kDouble, "max"},
    {"fmaxf", 2, kSingle, "max"},
    {"fmin", 2, kDouble, "min"},
    {"fminf", 2, kSingle, "min"},
    {"rint", 1, kDouble, "nearbyint"},
    {"rintf", 1, kSingle, "nearbyint"},
};

// Math functions that aren't functions of CUDA of the row's name, for float64, and with an f behind it, for float32.
constexpr std::string_view kNoMathFunction[] = {"isfinite", "isinf", "isnan", "sigmoid"};

std::vector<ExternalFunction> makeExternal() {
  std::vector<ExternalFunction> all(std::begin(kExternal), std::end(kExternal));
  // Their names live as long as the program.
  static std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const Operation& o : kOperations) made.push_back(std::string(o.name) + "f");
    return made;
  }();
  for (std::size_t i = 0; i < std::size(kOperations); ++i) {
    const Operation& o = kOperations[i];
    if (!isMathFunction(o) || o.refusal != Refusal::None || std::ranges::count(kNoMathFunction, o.name)) continue;
    all.push_back({o.name, o.arity, kDouble, o.name});
    all.push_back({names[i], o.arity, kSingle, o.name});
  }
  std::ranges::sort(all, {}, &ExternalFunction::name);
  return all;
}

Message namesOf(unsigned kinds) {
  const std::pair<unsigned, Message> names[] = {
      {kFloats, message("floating-point numbers")},
      {kSingleDouble | kHalves, message("floating-point numbers of 16 bits and more")},
      {kSingleDouble, message("float32 and float64")},
      {kWholeNumbers, message("whole numbers")},
      {kBools, verbatim("bool")}};
  Message text;
  for (const auto& [set, name] : names) {
    if ((kinds & set) != set) continue;
    text = text.empty() ? name : message("{} and {}", text, name);
    kinds &= ~set;
  }
  return text;
}

Message refusalOf(const std::string& op, Refusal refusal) {
  switch (refusal) {
    case Refusal::None: break;
    case Refusal::OfPrograms: return message("T.{} tells TVM about the program and has no value", op);
    case Refusal::OfLlvm: return message("T.{} is of TVM's LLVM backend", op);
    case Refusal::NoText:
      return message("T.{} has no CUDA text in TVM; T.call_pure_extern(\"int32\", \"__dp4a\", …)", op);
    case Refusal::OfPointer: return message("T.{} asks about a pointer, and a kernel's buffers are never null", op);
    case Refusal::Handle: return message("T.{} is a handle, no value", op);
    case Refusal::Returns: return message("T.{} ends a function, and a kernel has no value to return", op);
    case Refusal::NoValue: return message("T.{} has no value of its own", op);
    case Refusal::Scalable: return message("T.{} is of scalable vectors, which GPUs don't have", op);
  }
  return {};
}

std::optional<Message> whyNoExternal(const CallNode& call) {
  const ExternalFunction* f = externalFunctionOf(call);
  std::string name(externalName(call));
  if (!f) {
    return message(
        "T.{} of \"{}\": of functions outside of TVM kernels here have CUDA's mathematical ones, and this is none of "
        "them",
        call.op, name);
  }
  if (int(call.args.size()) - 1 != f->arity) {
    return message("T.{} of \"{}\" has {} operands, and the function takes {}", call.op, name, call.args.size() - 1,
                   f->arity);
  }
  return std::nullopt;
}

std::optional<Message> whyNoCall(const CallNode& call) {
  if (isExternalCall(call)) return whyNoExternal(call);
  const Operation* o = findOperation(call.op);
  if (!o) return message("T.{} is no operation on scalars, the only ones that values in a kernel are made of", call.op);
  if (o->refusal != Refusal::None) return refusalOf(call.op, o->refusal);
  if (int(call.args.size()) != o->arity) {
    return message("T.{} has {} operands, and it takes {}", call.op, call.args.size(), o->arity);
  }
  auto refuse = [&](DType t) {
    return message("T.{} in a kernel is of {}, and here it is of {}", call.op, namesOf(o->takes), t.element().str());
  };
  for (const Expr& a : call.args) {
    if (call.op == "if_then_else" && a == call.args[0]) continue;
    bool exponent = call.op == "ldexp" && a == call.args[1];
    bool mixed = isMathFunction(*o) && kindOf(a->dtype) != kNoTypes && a != call.args[0];
    if (!exponent && !mixed && !(kindOf(a->dtype) & o->takes)) return refuse(a->dtype);
    if ((exponent || mixed) && kindOf(a->dtype) == kNoTypes) return refuse(a->dtype);
  }
  if (o->result == Result::Like && !(kindOf(call.dtype) & o->takes)) return refuse(call.dtype);
  if (call.op == "reinterpret") {
    if (!(kindOf(call.dtype) & o->takes)) return refuse(call.dtype);
    if (call.dtype.bits != call.args[0]->dtype.bits) {
      return message("T.reinterpret between {} and {}, which aren't of one size", call.args[0]->dtype.str(),
                     call.dtype.str());
    }
  }
  if (call.op == "q_multiply_shift" || call.op == "q_multiply_shift_per_axis") {
    for (std::size_t i = 0; i < 4; ++i) {
      if (call.args[i]->dtype.element() != kInt32)
        return message("T.{} is of int32, and here it is of {}", call.op, call.args[i]->dtype.element().str());
    }
  }
  return std::nullopt;
}

// Kernels compute what has less than a byte as int32, which has another width.
std::optional<Message> whyNoWidth(const Expr& e, const CallNode& call) {
  constexpr std::string_view kOfAnyWidth[] = {"bitwise_and", "bitwise_or",  "bitwise_xor",  "bitwise_not",
                                              "shift_left",  "shift_right", "if_then_else", "likely"};
  if (std::ranges::find(kOfAnyWidth, call.op) != std::end(kOfAnyWidth)) return std::nullopt;
  const auto packed = std::ranges::find_if(call.args, [](const Expr& a) { return isPacked(a->dtype); });
  if (packed == call.args.end() && !isPacked(e->dtype)) return std::nullopt;
  return message("T.{} depends on how wide its operands are ({}), which kernels compute as int32", call.op,
                 (packed == call.args.end() ? e : *packed)->dtype.str());
}

}  // namespace

TypeKinds kindOf(DType t) {
  const bool whole = isPacked(t.element()) || t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64;
  switch (t.code) {
    case DType::Code::Float: return t.bits == 16 ? kHalves : kSingleDouble;
    case DType::Code::BFloat: return kHalves;
    case DType::Code::E4M3:
    case DType::Code::E5M2: return kFloat8;
    case DType::Code::Bool: return kBools;
    case DType::Code::Int:
    case DType::Code::UInt: return whole ? kWholeNumbers : kNoTypes;
    default: return kNoTypes;
  }
}

std::span<const Operation> operations() { return kOperations; }

bool isMathFunction(const Operation& o) { return o.takes == kFloats || o.takes == kSingleDouble; }

const Operation* findOperation(std::string_view name) {
  auto* found = std::ranges::lower_bound(kOperations, name, {}, &Operation::name);
  return found != std::end(kOperations) && found->name == name ? found : nullptr;
}

std::span<const ExternalFunction> externalFunctions() {
  static const std::vector<ExternalFunction> kAll = makeExternal();
  return kAll;
}

bool isExternalCall(const CallNode& call) { return call.op == "call_extern" || call.op == "call_pure_extern"; }

std::string_view externalName(const CallNode& call) {
  if (!isExternalCall(call) || call.args.empty() || call.args[0]->kind != ExprKind::StringImm) return {};
  return as<StringImmNode>(call.args[0])->value;
}

const ExternalFunction* externalFunctionOf(const CallNode& call) {
  std::string_view name = externalName(call);
  auto all = externalFunctions();
  auto found = std::ranges::lower_bound(all, name, {}, &ExternalFunction::name);
  return found != all.end() && found->name == name ? &*found : nullptr;
}

std::vector<Expr> operandsOf(const CallNode& call) {
  if (isExternalCall(call)) {
    std::vector<Expr> operands(call.args.begin() + 1, call.args.end());
    // What __dp4a takes are vectors of four.
    auto* f = externalFunctionOf(call);
    if (!f || isCallOf(call, "__dp4a")) return operands;
    for (Expr& e : operands) e = cast(f->dtype.withLanes(e->dtype.lanes), e);
    return operands;
  }
  std::vector<Expr> operands = call.args;
  const Operation* o = findOperation(call.op);
  if (!o || o->result != Result::Like || !isMathFunction(*o)) return operands;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    DType t = call.op == "ldexp" ? kInt32 : call.dtype.element();
    operands[i] = cast(t.withLanes(operands[i]->dtype.lanes), operands[i]);
  }
  return operands;
}

Expr expanded(const CallNode& call) {
  const bool perAxis = call.op == "q_multiply_shift_per_axis";
  if (!perAxis && call.op != "q_multiply_shift") return nullptr;
  const int lanes = call.dtype.lanes;
  const DType wide = DType::Int(64, lanes);
  auto shift = [](const char* op, const Expr& x, const Expr& by) {
    return isConst(by, 0) ? x : ir::call(x->dtype, op, {x, by});
  };
  Expr x = cast(wide, call.args[0]), y = cast(wide, call.args[1]), right;
  if (perAxis) {
    Expr left = cast(wide, call.args[2]), required = cast(kBool.withLanes(lanes), call.args[5]);
    Expr shifted = shift("shift_left", x, left);
    x = isTrue(required) ? shifted : isFalse(required) ? x : select(required, shifted, x);
    right = cast(wide, call.args[3]) + cast(wide, call.args[4]);
  } else {
    // To the left by s, or to the right by -s.
    Expr s = cast(wide, call.args[3]), none = zero(wide);
    x = shift("shift_left", x, maxOf(s, none));
    right = maxOf(none - s, none) + cast(wide, call.args[2]);
  }
  Expr half = shift("shift_left", one(wide), right - one(wide));
  if (auto* by = asInt(right); by && by->value >= 1 && by->value < 63) {
    half = intImm(std::int64_t{1} << (by->value - 1), wide);
  }
  return cast(DType::Int(32, lanes), shift("shift_right", x * y + half, right));
}

std::optional<Message> whyNoKernelHas(const Expr& e) {
  if (auto* call = asCall(e)) {
    auto why = whyNoCall(*call);
    return why ? why : whyNoWidth(e, *call);
  }
  switch (e->kind) {
    case ExprKind::StringImm: return message("a text has no value in a kernel");
    case ExprKind::Load:
    case ExprKind::Let: return std::nullopt;
    default: break;
  }
  if (kindOf(e->dtype) == kNoTypes) return message("kernels have no values of type {}", e->dtype.element().str());
  if (auto* b = asBinary(e)) {
    const bool floorOfFloat = (b->kind == ExprKind::FloorDiv || b->kind == ExprKind::FloorMod) && b->dtype.isFloat();
    if (floorOfFloat) return message("floor division is of integers, and here it is of {}", b->dtype.element().str());
  }
  return std::nullopt;
}

}  // namespace loom::ir
