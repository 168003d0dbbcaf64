#include "core/script/trace_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/script/index_map_graph.h"
#include "core/script/lexer.h"
#include "core/script/trace_graph.h"

namespace loom::script {

namespace {

using Json = nlohmann::ordered_json;
using Kind = StepValue::Kind;

// A plain value. With `names`, strings are names of results unless they carry quotes of their own.
StepValue fromJson(const Json& j, bool names) {
  if (j.is_boolean()) return stepBool(j.get<bool>());
  if (j.is_number_integer()) return stepInt(j.get<std::int64_t>());
  if (j.is_number()) return stepFloat(j.get<double>());
  if (j.is_string()) {
    auto s = j.get<std::string>();
    if (!names || isSavedGraph(s)) return stepString(s);
    if (s == "None") return stepNone();
    if (s.size() >= 2 && s.front() == '"' && s.back() == '"') return stepString(s.substr(1, s.size() - 2));
    return stepName(s);
  }
  if (j.is_array()) {
    StepValue list = stepList({});
    for (const Json& item : j) list.items.push_back(fromJson(item, names));
    return list;
  }
  if (j.is_object()) {
    StepValue dictionary;
    dictionary.kind = Kind::Dict;
    for (const auto& [key, value] : j.items()) {
      dictionary.items.push_back(stepString(key));
      dictionary.items.push_back(fromJson(value, false));
    }
    return dictionary;
  }
  return stepNone();
}

Json toJson(const StepValue& v, bool names) {
  switch (v.kind) {
    case Kind::None: return names ? Json("None") : Json();
    case Kind::Bool: return v.integer != 0;
    case Kind::Int: return v.integer;
    case Kind::Float: return v.real;
    case Kind::String: return names && !isSavedGraph(v.text) ? Json("\"" + v.text + "\"") : Json(v.text);
    case Kind::Typed: return toJson(v.items[0], names);
    case Kind::List:
    case Kind::Tuple: {
      Json list = Json::array();
      for (const StepValue& item : v.items) list.push_back(toJson(item, names));
      return list;
    }
    case Kind::Dict: {
      Json object = Json::object();
      for (std::size_t i = 0; i + 1 < v.items.size(); i += 2) object[v.items[i].text] = toJson(v.items[i + 1], false);
      return object;
    }
    case Kind::Name: return v.text;
    default: return printValue(v);
  }
}

// TVM separates with a comma and a blank; nlohmann's compact form has no blank.
void write(std::string& out, const Json& j) {
  bool object = j.is_object();
  if (!object && !j.is_array()) {
    out += j.dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  out += object ? '{' : '[';
  bool first = true;
  for (const auto& [key, value] : j.items()) {
    if (!first) out += ", ";
    first = false;
    if (object) out += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace) + ": ";
    write(out, value);
  }
  out += object ? '}' : ']';
}

Failure wrong(const TraceInstruction& n, const Message& what) {
  return fail("ParseError", message("instruction {} of the trace has {}", n.kind, what), Forbids::Input);
}

bool isInstruction(const Json& j) {
  return j.is_array() && j.size() == 4 && j[0].is_string() && j[1].is_array() && j[2].is_array() && j[3].is_array() &&
         std::all_of(j[3].begin(), j[3].end(), [](const Json& o) { return o.is_string(); });
}

bool isDecision(const Json& j, std::size_t instructions) {
  // In an unfolded object graph the number is a signed one.
  return j.is_array() && j.size() == 2 && j[0].is_number_integer() && j[0] >= 0 &&
         j[0].get<std::uint64_t>() < instructions;
}

}  // namespace

Result<std::vector<TraceInstruction>> readTraceJson(std::string_view text, std::string_view file) {
  SourceText source{text, file};
  Json root;
  bool deep = false;
  try {
    root = Json::parse(text, [&](int depth, Json::parse_event_t, Json&) {
      deep = deep || depth > 100;
      return !deep;
    });
  } catch (const Json::parse_error& e) {
    auto at = std::min<std::size_t>(e.byte ? e.byte - 1 : 0, text.size());
    auto before = text.substr(0, at);
    int line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    auto newline = before.rfind('\n');
    int column = static_cast<int>(newline == std::string_view::npos ? at + 1 : at - newline);
    return source.error(line, column, message("expected the JSON of a trace"));
  } catch (const Json::exception&) {
    return source.error(1, 1, message("a number of the trace is too large"));
  }
  if (deep) return source.error(1, 1, message("the trace is nested too deeply"));
  if (isObjectGraph(root)) {
    auto plain = unfoldObjectGraph(root);
    if (!plain) return source.error(1, 1, plain.error().message);
    root = std::move(*plain);
  }
  if (!root.is_array() || root.size() != 2 || !root[0].is_array() || !root[1].is_array()) {
    return source.error(1, 1, message("expected a trace: [instructions, decisions]"));
  }
  std::vector<TraceInstruction> out;
  for (const Json& j : root[0]) {
    if (!isInstruction(j)) {
      return source.error(
          1, 1, message("instruction {} of the trace is not [kind, inputs, attributes, outputs]", out.size()));
    }
    TraceInstruction n;
    n.kind = j[0].get<std::string>();
    for (const Json& input : j[1]) n.inputs.push_back(fromJson(input, true));
    for (const Json& attribute : j[2]) n.attributes.push_back(fromJson(attribute, false));
    for (const Json& output : j[3]) n.outputs.push_back(output.get<std::string>());
    out.push_back(std::move(n));
  }
  for (const Json& j : root[1]) {
    if (!isDecision(j, out.size()))
      return source.error(1, 1, message("a decision of the trace is not [instruction, decision]"));
    out[j[0].get<std::size_t>()].decision = fromJson(j[1], false);
  }
  return out;
}

std::string writeTraceJson(const std::vector<TraceInstruction>& instructions) {
  Json list = Json::array(), decisions = Json::array();
  for (const TraceInstruction& n : instructions) {
    Json inputs = Json::array(), attributes = Json::array();
    for (const StepValue& v : n.inputs) inputs.push_back(toJson(v, true));
    for (const StepValue& v : n.attributes) attributes.push_back(toJson(v, false));
    if (n.decision) decisions.push_back(Json::array({list.size(), toJson(*n.decision, false)}));
    list.push_back(Json::array({n.kind, inputs, attributes, n.outputs}));
  }
  std::string out;
  write(out, Json::array({list, decisions}));
  return out;
}

namespace {

// Index maps are graphs in the JSON and lambdas in Python.
Result<StepValue> fromGraph(const StepValue& v) {
  return v.is(Kind::String) && isSavedGraph(v.text) ? readIndexMapGraph(v.text) : Result<StepValue>(v);
}
StepValue asGraph(const StepValue& v) { return v.is(Kind::Lambda) ? stepString(writeIndexMapGraph(v)) : v; }

}  // namespace

Result<TraceCall> toCall(const TraceInstruction& n, const TraceShape& shape) {
  using Place = TraceField::Place;
  TraceCall call{shape.primitive, {}, n.outputs, shape.listResult, n.decision};
  std::size_t input = 0, attribute = 0;
  for (const TraceField& field : shape.fields) {
    switch (field.place) {
      case Place::RestInputs:
        call.arguments.push_back(
            {field.parameter, stepList({n.inputs.begin() + static_cast<std::ptrdiff_t>(input), n.inputs.end()})});
        input = n.inputs.size();
        break;
      case Place::SpreadInputs:
        for (; input < n.inputs.size(); ++input) call.arguments.push_back({"", n.inputs[input]});
        break;
      case Place::Input:
      case Place::OptionalList: {
        if (input >= n.inputs.size()) return wrong(n, message("too few inputs"));
        const auto v = fromGraph(n.inputs[input++]);
        if (!v) return Failure(v.error());
        if (field.place == Place::Input || !v->items.empty()) call.arguments.push_back({field.parameter, *v});
        break;
      }
      case Place::Attribute:
      case Place::BoolFlag:
      case Place::IntFlag: {
        if (attribute >= n.attributes.size()) return wrong(n, message("too few attributes"));
        const auto v = fromGraph(n.attributes[attribute++]);
        if (!v) return Failure(v.error());
        bool flag = field.place != Place::Attribute && (v->is(Kind::Int) || v->is(Kind::Bool));
        call.arguments.push_back({field.parameter, flag ? stepBool(v->integer != 0) : *v});
        break;
      }
      case Place::LastFlag: {
        if (attribute == n.attributes.size()) break;
        const auto v = fromGraph(n.attributes[attribute++]);
        if (!v) return Failure(v.error());
        if (v->integer != 0) call.arguments.push_back({field.parameter, stepBool(true)});
        break;
      }
      case Place::BufferSide: {
        if (attribute + 2 > n.attributes.size()) return wrong(n, message("too few attributes"));
        const StepValue& index = n.attributes[attribute++];
        const StepValue& side = n.attributes[attribute++];
        if (!side.is(Kind::Int) && !side.is(Kind::Bool))
          return wrong(n, message("a buffer that is neither read nor written"));
        call.arguments.push_back({field.parameter, stepTuple({stepString(side.integer ? "write" : "read"), index})});
        break;
      }
    }
  }
  if (input != n.inputs.size()) return wrong(n, message("too many inputs"));
  if (attribute != n.attributes.size()) return wrong(n, message("too many attributes"));
  return call;
}

Result<TraceInstruction> toInstruction(const TraceCall& call, const TraceShape& shape) {
  using Place = TraceField::Place;
  TraceInstruction n{shape.kind, {}, {}, call.outputs, call.decision};
  std::size_t next = 0;
  for (const TraceField& field : shape.fields) {
    if (field.place == Place::SpreadInputs) {
      while (next < call.arguments.size() && call.arguments[next].name.empty()) {
        n.inputs.push_back(call.arguments[next++].value);
      }
      continue;
    }
    bool given = next < call.arguments.size() &&
                 (call.arguments[next].name == field.parameter || call.arguments[next].name.empty());
    if (!given && field.place == Place::OptionalList) {
      n.inputs.push_back(stepList({}));
      continue;
    }
    if (!given && field.place == Place::LastFlag) {
      n.attributes.push_back(stepInt(0));
      continue;
    }
    if (!given) {
      return fail("TypeError", message("{} lacks argument '{}'", call.primitive, field.parameter), Forbids::Input);
    }
    const StepValue& v = call.arguments[next++].value;
    switch (field.place) {
      case Place::RestInputs: n.inputs.insert(n.inputs.end(), v.items.begin(), v.items.end()); break;
      case Place::Attribute: n.attributes.push_back(asGraph(v)); break;
      case Place::BoolFlag: n.attributes.push_back(stepBool(v.integer != 0)); break;
      case Place::IntFlag:
      case Place::LastFlag: n.attributes.push_back(stepInt(v.integer != 0)); break;
      case Place::BufferSide:
        if (v.items.size() != 2) {
          return fail("TypeError", message("argument '{}' is no (\"read\" or \"write\", index)", field.parameter),
                      Forbids::Input);
        }
        n.attributes.push_back(v.items[1]);
        n.attributes.push_back(stepInt(v.items[0].text == "write"));
        break;
      default: n.inputs.push_back(asGraph(v));
    }
  }
  if (next != call.arguments.size()) {
    return fail("TypeError", message("{} has no argument '{}'", call.primitive, call.arguments[next].name),
                Forbids::Input);
  }
  return n;
}

}  // namespace loom::script
