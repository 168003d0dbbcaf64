#include "core/script/index_map_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/script/saved_expr.h"

namespace loom::script {
namespace {

using namespace ir;
using Kind = StepValue::Kind;

constexpr IndexOperator kIndexOperators[] = {
    {"+", ExprKind::Add, "Add"},           {"-", ExprKind::Sub, "Sub"},
    {"*", ExprKind::Mul, "Mul"},           {"//", ExprKind::FloorDiv, "FloorDiv"},
    {"%", ExprKind::FloorMod, "FloorMod"}, {"^", std::nullopt, "bitwise_xor"},
    {"&", std::nullopt, "bitwise_and"},    {"|", std::nullopt, "bitwise_or"},
    {"<<", std::nullopt, "shift_left"},    {">>", std::nullopt, "shift_right"},
};

StepValue typed(DType type, StepValue number) {
  StepValue v;
  v.kind = Kind::Typed;
  v.text = type.str();
  v.items = {std::move(number)};
  return v;
}

// Writes the nodes in the order in which TVM meets them, each before what it names.
class GraphWriter {
 public:
  std::string write(const StepValue& lambda) {
    nodes_ = {R"(      "type_key": "")"};
    forEach(lambda.items[0], [&](const StepValue& v) {
      if (v.is(Kind::Typed) && v.text == "int64") type_ = "int64";
    });
    const std::size_t map = reserve();
    const std::size_t inputs = reserve();
    std::vector<std::size_t> vars;
    for (const std::string& name : lambda.parameters) {
      const std::size_t var = reserve(), label = reserve(), type = reserve();
      vars.push_back(vars_[name] = var);
      object(var, "tir.Var", {{"dtype", type_}, {"name", at(label)}, {"span", "null"}, {"type_annotation", at(type)}});
      nodes_[label] =
          fmt::format("      \"type_key\": \"ffi.String\", \n      \"repr_str\": {}", nlohmann::json(name).dump());
      nodes_[type] =
          fmt::format("      \"type_key\": \"ir.PrimType\", \n      \"attrs\": {{\"dtype\": \"{}\"}}", type_);
    }
    array(inputs, vars);
    const std::size_t outputs = reserve();
    std::vector<std::size_t> all;
    for (const StepValue& item : lambda.items[0].items) all.push_back(expression(item));
    array(outputs, all);
    object(map, "tir.IndexMap",
           {{"final_indices", at(outputs)}, {"initial_indices", at(inputs)}, {"inverse_index_map", "null"}});
    std::string text;
    for (const std::string& node : nodes_)
      text += (text.empty() ? "" : ", \n") + std::string("    {\n") + node + "\n    }";
    return "{\n  \"root\": 1, \n  \"nodes\": [\n" + text +
           "\n  ], \n  \"b64ndarrays\": [], \n  \"attrs\": {\"tvm_version\": \"0.21.dev0\"}\n}";
  }

 private:
  template <class F>
  static void forEach(const StepValue& v, F f) {
    f(v);
    for (const StepValue& item : v.items) forEach(item, f);
  }
  std::size_t reserve() {
    nodes_.emplace_back();
    return nodes_.size() - 1;
  }
  static std::string at(std::size_t node) { return std::to_string(node); }

  void array(std::size_t node, const std::vector<std::size_t>& items) {
    std::string list;
    for (std::size_t item : items) list += (list.empty() ? "" : ", ") + at(item);
    nodes_[node] = fmt::format("      \"type_key\": \"ffi.Array\", \n      \"data\": [{}]", list);
  }
  void object(std::size_t node, std::string_view type,
              const std::vector<std::pair<std::string_view, std::string>>& fields) {
    std::string list;
    for (const auto& [name, value] : fields)
      list += fmt::format("{}        \"{}\": \"{}\"", list.empty() ? "" : ", \n", name, value);
    nodes_[node] = fmt::format("      \"type_key\": \"{}\", \n      \"attrs\": {{\n{}\n      }}", type, list);
  }
  std::size_t constant(const StepValue& number, const std::string& type) {
    const std::size_t node = reserve();
    const bool isWhole = number.is(Kind::Int);
    object(node, isWhole ? "ir.IntImm" : "ir.FloatImm",
           {{"dtype", type},
            {"span", "null"},
            {"value", isWhole ? std::to_string(number.integer) : fmt::format("{:.17g}", number.real)}});
    return node;
  }
  std::size_t expression(const StepValue& v) {
    if (v.is(Kind::Name)) return vars_.contains(v.text) ? vars_.at(v.text) : 0;
    if (v.is(Kind::Int)) return constant(v, type_ == "int64" ? "int64" : "int32");
    if (v.is(Kind::Float)) return constant(v, "float32");
    if (v.is(Kind::Typed)) return constant(v.items[0], v.text);
    const auto* op = std::find_if(std::begin(kIndexOperators), std::end(kIndexOperators),
                                  [&](const IndexOperator& o) { return o.kind && o.text == v.text; });
    if (!v.is(Kind::Binary) || op == std::end(kIndexOperators)) return 0;
    const std::size_t node = reserve();
    const std::string a = at(expression(v.items[0])), b = at(expression(v.items[1]));
    object(node, fmt::format("tir.{}", op->name), {{"a", a}, {"b", b}, {"dtype", type_}, {"span", "null"}});
    return node;
  }

  std::vector<std::string> nodes_;
  std::map<std::string, std::size_t> vars_;
  std::string type_ = "int32";
};

}  // namespace

std::span<const IndexOperator> indexOperators() { return kIndexOperators; }

StepValue stepExpression(const Expr& e) {
  if (const auto* var = asVar(e)) return stepName(var->name);
  if (const auto* number = asInt(e))
    return e->dtype == DType::Int(32) ? stepInt(number->value) : typed(e->dtype, stepInt(number->value));
  if (e->kind == ExprKind::FloatImm) return typed(e->dtype, stepFloat(as<FloatImmNode>(e)->value));
  for (const IndexOperator& op : kIndexOperators) {
    const auto* node = op.kind ? asBinary(e, *op.kind) : nullptr;
    const auto* call = op.kind ? nullptr : asCall(e);
    if (!node && (!call || call->op != op.name || call->args.size() != 2)) continue;
    StepValue v;
    v.kind = Kind::Binary;
    v.text = op.text;
    v.items = {stepExpression(node ? node->a : call->args[0]), stepExpression(node ? node->b : call->args[1])};
    return v;
  }
  return e->kind == ExprKind::Cast ? stepExpression(as<CastNode>(e)->value) : stepNone();
}

bool isSavedGraph(std::string_view text) {
  return text.starts_with("{") && text.find("\"nodes\"") != std::string_view::npos;
}

Result<StepValue> readIndexMapGraph(const std::string& text) {
  const auto wrong = [](const Message& what) {
    return fail("ParseError", message("an index map of the trace can't be read: {}", what), Forbids::Input);
  };
  try {
    const auto json = nlohmann::ordered_json::parse(text);
    const SavedGraph graph(json);
    if (graph.type(graph.root()) != "tir.IndexMap") graph.unexpected(graph.root(), message("an index map"));
    ir::IdSource ids(0);
    SavedExprs exprs(graph, ids);
    StepValue lambda;
    lambda.kind = Kind::Lambda;
    for (SavedGraph::Index input : graph.list(graph.root(), "initial_indices"))
      lambda.parameters.push_back(exprs.var(input)->name);
    std::vector<StepValue> outputs;
    for (const Expr& output : exprs.exprs(graph.list(graph.root(), "final_indices")))
      outputs.push_back(stepExpression(output));
    lambda.items = {stepTuple(std::move(outputs))};
    return lambda;
  } catch (const NotAsSaved& e) {
    return wrong(e.what);
  } catch (const nlohmann::json::exception&) {
    return wrong(message("it is no JSON"));
  }
}

std::string writeIndexMapGraph(const StepValue& lambda) { return GraphWriter().write(lambda); }

}  // namespace loom::script
