#include "core/script/saved_graph.h"

#include <charconv>

#include "core/script/base64.h"

namespace loom::script {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
T number(const Json& value, std::string_view name) {
  if (value.is_number() || value.is_boolean()) {
    if constexpr (std::is_integral_v<T>) {
      if (value.is_boolean()) return T(value.get<bool>());
      if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX)) {
        throw NotAsSaved{message("\"{}\" is too large a number", name)};
      }
      if (value.is_number_integer()) return value.get<T>();
    } else if (value.is_number()) {
      return value.get<T>();
    }
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    T read{};
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    if (error == std::errc() && end == text.data() + text.size()) return read;
  }
  throw NotAsSaved{message("\"{}\" is no number", name)};
}

}  // namespace

SavedGraph::SavedGraph(const Json& json) : nodes_(nullptr) {
  if (!json.is_object() || !json.contains("nodes") || !json["nodes"].is_array() || json["nodes"].empty()) {
    throw NotAsSaved{message("it has no list of nodes")};
  }
  nodes_ = &json["nodes"];
  const char* key = json.contains("root") ? "root" : "root_index";
  if (!json.contains(key)) throw NotAsSaved{message("it names no root")};
  root_ = indexOf(json[key]);
}

const Json& SavedGraph::node(Index index) const {
  const Json& n = (*nodes_)[index];
  if (!n.is_object()) throw NotAsSaved{message("node {} is no object", index)};
  return n;
}

std::string_view SavedGraph::type(Index index) const {
  if (index == 0) return "None";
  const Json& n = node(index);
  const auto key = n.contains("type_key") ? n.find("type_key") : n.find("type");
  if (key == n.end() || !key->is_string()) throw NotAsSaved{message("node {} has no type", index)};
  std::string_view name = key->get_ref<const std::string&>();
  for (std::string_view prefix : {"ffi.", "runtime.", "ir.", "node."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

void SavedGraph::unexpected(Index node, const Message& expected) const {
  throw NotAsSaved{message("node {} is a {}; {} is expected", node, type(node).substr(0, 60), expected)};
}

SavedGraph::Index SavedGraph::indexOf(const Json& value) const {
  if (value.is_null() || (value.is_string() && value.get_ref<const std::string&>() == "null")) return 0;
  const auto index = number<std::int64_t>(value, "a node's number");
  if (index < 0 || std::uint64_t(index) >= nodes_->size()) {
    throw NotAsSaved{message("it refers to node {}, which isn't there", index)};
  }
  return Index(index);
}

const Json* SavedGraph::find(Index index, const char* name) const {
  const Json& n = node(index);
  const auto fields = n.contains("attrs") ? n.find("attrs") : n.find("data");
  if (fields == n.end() || !fields->is_object()) return nullptr;
  const auto found = fields->find(name);
  return found == fields->end() ? nullptr : &*found;
}

bool SavedGraph::has(Index index, const char* name) const { return find(index, name) != nullptr; }

const Json& SavedGraph::field(Index index, const char* name) const {
  const Json* found = find(index, name);
  if (!found) throw NotAsSaved{message("node {}, a {}, has no \"{}\"", index, type(index), name)};
  return *found;
}

SavedGraph::Index SavedGraph::reference(Index index, const char* name) const { return indexOf(field(index, name)); }

SavedGraph::Index SavedGraph::need(Index index, const char* name) const {
  const Index found = reference(index, name);
  if (found == 0) throw NotAsSaved{message("\"{}\" of node {}, a {}, is null", name, index, type(index))};
  return found;
}

std::int64_t SavedGraph::integer(Index index, const char* name) const {
  return number<std::int64_t>(field(index, name), name);
}

double SavedGraph::real(Index index, const char* name) const { return number<double>(field(index, name), name); }

std::string SavedGraph::word(Index index, const char* name) const {
  const Json& value = field(index, name);
  if (!value.is_string()) throw NotAsSaved{message("\"{}\" of node {} is no text", name, index)};
  return value.get<std::string>();
}

std::string SavedGraph::text(Index index, const char* name) const { return string(need(index, name)); }

std::vector<SavedGraph::Index> SavedGraph::list(Index index, const char* name) const {
  return items(need(index, name));
}

std::vector<SavedGraph::Index> SavedGraph::items(Index array) const {
  if (type(array) != "Array") unexpected(array, message("an Array"));
  const Json& n = node(array);
  const auto data = n.find("data");
  std::vector<Index> all;
  if (data == n.end()) return all;
  if (!data->is_array()) throw NotAsSaved{message("node {} has no list of items", array)};
  for (const Json& item : *data) all.push_back(indexOf(item));
  return all;
}

std::vector<std::pair<SavedGraph::Index, SavedGraph::Index>> SavedGraph::entries(Index map) const {
  if (type(map) != "Map") unexpected(map, message("a Map"));
  const Json& n = node(map);
  const auto data = n.find("data");
  std::vector<std::pair<Index, Index>> all;
  if (data == n.end()) return all;
  if (!data->is_array() || data->size() % 2 != 0 || n.contains("keys")) {
    throw NotAsSaved{message("node {} has no list of keys and values", map)};
  }
  for (std::size_t i = 0; i < data->size(); i += 2) all.emplace_back(indexOf((*data)[i]), indexOf((*data)[i + 1]));
  return all;
}

std::vector<std::pair<std::string, SavedGraph::Index>> SavedGraph::namedEntries(Index map) const {
  if (type(map) != "Map") unexpected(map, message("a Map"));
  const Json& n = node(map);
  std::vector<std::pair<std::string, Index>> all;
  if (!n.contains("keys")) {
    for (const auto& [key, value] : entries(map)) all.emplace_back(string(key), value);
    return all;
  }
  const Json &keys = n["keys"], data = n.value("data", Json::array());
  if (!keys.is_array() || !data.is_array() || keys.size() != data.size()) {
    throw NotAsSaved{message("the keys and values of node {} differ in number", map)};
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].is_string()) throw NotAsSaved{message("a key of node {} is no text", map)};
    all.emplace_back(keys[i].get<std::string>(), indexOf(data[i]));
  }
  return all;
}

std::string SavedGraph::string(Index index) const {
  if (type(index) != "String") unexpected(index, message("a String"));
  return nameOfObject(index);
}

std::string SavedGraph::nameOfObject(Index index) const {
  const Json& n = node(index);
  for (const char* key : {"repr_str", "data"}) {
    if (n.contains(key) && n[key].is_string()) return n[key].get<std::string>();
  }
  if (n.contains("repr_b64") && n["repr_b64"].is_string()) {
    if (auto text = decodeSavedString(n["repr_b64"].get_ref<const std::string&>())) return *text;
  }
  if (type(index) == "String" && !n.contains("repr_str") && !n.contains("repr_b64") && !n.contains("data"))
    return "";  // TVM leaves the empty one out
  throw NotAsSaved{message("the string of node {} can't be read", index)};
}

std::int64_t SavedGraph::plainInteger(Index index) const {
  const Json& n = node(index);
  return n.contains("attrs") ? integer(index, "v_int64") : number<std::int64_t>(n.value("data", Json()), "a number");
}

double SavedGraph::plainReal(Index index) const {
  const Json& n = node(index);
  return n.contains("attrs") ? real(index, "v_float64") : number<double>(n.value("data", Json()), "a number");
}

}  // namespace loom::script
