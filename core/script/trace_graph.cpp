#include "core/script/trace_graph.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/script/base64.h"

namespace loom::script {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
std::optional<T> parsed(const Json& attributes, const char* key) {
  auto it = attributes.find(key);
  if (it == attributes.end() || !it->is_string()) return std::nullopt;
  const auto& text = it->get_ref<const std::string&>();
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class Unfolding {
 public:
  explicit Unfolding(const Json& nodes) : nodes_(nodes) {}

  Result<Json> node(const Json& index, int depth) {
    if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= nodes_.size()) {
      return wrong(message("it refers to a node that isn't there"));
    }
    if (depth > kMaxDepth) return wrong(message("its nodes are nested too deeply, or in a circle"));
    if (++values_ > kMaxValues) return wrong(message("it unfolds to too many values"));
    auto at = index.get<std::size_t>();
    if (at == 0) return Json();
    const Json& n = nodes_[at];
    if (!n.is_object() || !n.contains("type_key") || !n["type_key"].is_string())
      return wrong(message("a node has no type"));
    return value(n, n["type_key"].get<std::string>(), depth);
  }

 private:
  static constexpr int kMaxDepth = 100;
  static constexpr int kMaxValues = 200'000;

  static Failure wrong(const Message& what) {
    return fail("ParseError", message("this JSON is no trace that TVM saved: {}", what), Forbids::Input);
  }

  Result<Json> value(const Json& n, const std::string& type, int depth) {
    const Json data = n.value("data", Json::array());
    const Json attributes = n.value("attrs", Json::object());
    if (!data.is_array() || !attributes.is_object()) return wrong(message("a node has no list of parts"));
    if (type == "ffi.Array") {
      Json list = Json::array();
      for (const Json& index : data) {
        auto item = node(index, depth + 1);
        if (!item) return item;
        list.push_back(std::move(*item));
      }
      return list;
    }
    if (type == "ffi.Map") return map(n, data, depth);
    if (type == "ffi.String") {
      if (n.contains("repr_str") && n["repr_str"].is_string()) return n["repr_str"];
      if (n.contains("repr_b64") && n["repr_b64"].is_string()) {
        if (auto text = decodeSavedString(n["repr_b64"].get<std::string>())) return Json(*text);
      }
      if (!n.contains("repr_str") && !n.contains("repr_b64")) return Json("");  // TVM leaves the empty one out
      return wrong(message("a string can't be read"));
    }
    bool boolean = type == "bool";
    std::optional<Json> number;
    if (boolean || type == "int") {
      if (auto v = parsed<std::int64_t>(attributes, "v_int64")) number = boolean ? Json(*v != 0) : Json(*v);
    } else if (type == "float") {
      if (auto v = parsed<double>(attributes, "v_float64")) number = *v;
    } else if (type == "ir.IntImm") {
      if (auto v = parsed<std::int64_t>(attributes, "value")) number = *v;
    } else if (type == "ir.FloatImm") {
      if (auto v = parsed<double>(attributes, "value")) number = *v;
    } else {
      return wrong(message("a node of type {}", type));
    }
    if (!number) return wrong(message("a number can't be read"));
    return *number;
  }

  Result<Json> map(const Json& n, const Json& data, int depth) {
    const Json keys = n.value("keys", Json::array());
    if (!keys.is_array() || keys.size() != data.size())
      return wrong(message("a map's keys and values differ in number"));
    Json object = Json::object();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!keys[i].is_string()) return wrong(message("a map's key is no string"));
      auto item = node(data[i], depth + 1);
      if (!item) return item;
      object[keys[i].get<std::string>()] = std::move(*item);
    }
    return object;
  }

  const Json& nodes_;
  int values_ = 0;
};

}  // namespace

bool isObjectGraph(const Json& json) {
  return json.is_object() && (json.contains("root") || json.contains("root_index")) && json.contains("nodes") &&
         json["nodes"].is_array();
}

Result<Json> unfoldObjectGraph(const Json& json) {
  return Unfolding(json["nodes"]).node(json.contains("root") ? json["root"] : json["root_index"], 0);
}

}  // namespace loom::script
