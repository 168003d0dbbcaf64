// Typed access to an object of TVM's as `tvm.ir.save_json` writes it: a list of nodes that refer to each other by their
// index. What the objects mean is decided in saved_program.h. Internal to core/script.
//
//     {"root": 1, "nodes": [{"type_key": ""}, {"type_key": "tir.Add", "attrs": {"a": "2", "b": "3", …}}, …]}
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ir/message.h"

namespace loom::script {

// The exception for a graph without the node, field or type that was asked for. `what` continues a sentence such as
// "this JSON is no program that TVM saved: …". It is no std::exception.
struct NotAsSaved {
  Message what;
};

// A graph of nodes that TVM saved as JSON, with typed access to them. Functions throw NotAsSaved if a node isn't of the
// type that they read or lacks the field. An index that is given to them must be less than `size`, as all those are
// that they return.
class SavedGraph {
 public:
  using Index = std::size_t;  // the index of a node; 0 stands for null

  // `json` must outlive the graph. Throws NotAsSaved if it has no list of nodes or no root.
  explicit SavedGraph(const nlohmann::ordered_json& json);

  Index root() const { return root_; }
  // Returns the number of nodes, node 0 included.
  Index size() const { return nodes_->size(); }
  // Returns the type of a node, "tir.Add", "IRModule", "Array", without the prefixes "ir.", "ffi.", "runtime." and
  // "node.", which not all versions of TVM write; "None" for null. The text is part of the JSON.
  std::string_view type(Index node) const;
  // Throws NotAsSaved: the node is not what `expected` names.
  [[noreturn]] void unexpected(Index node, const Message& expected) const;

  // Returns whether an object has a field of this name.
  bool has(Index node, const char* field) const;
  // Return the node that a field of an object refers to. `reference` returns 0 for null; `need` throws for it.
  Index reference(Index node, const char* field) const;
  Index need(Index node, const char* field) const;
  // Return the value of an object's field. `integer` and `real` take a number also where it is saved as a string;
  // `word` reads a string that stands in the field itself, such as a dtype; `text` one that has a node of its own, such
  // as a name; `list` the items of an array.
  std::int64_t integer(Index node, const char* field) const;
  double real(Index node, const char* field) const;
  std::string word(Index node, const char* field) const;
  std::string text(Index node, const char* field) const;
  std::vector<Index> list(Index node, const char* field) const;

  // Return the items of an array, the keys and values of a map, and a string's text. `entries` reads a map whose keys
  // are nodes, and throws for one whose keys are written in the map's own node; `namedEntries` reads both, but the keys
  // must be strings.
  std::vector<Index> items(Index array) const;
  std::vector<std::pair<Index, Index>> entries(Index map) const;
  std::vector<std::pair<std::string, Index>> namedEntries(Index map) const;
  std::string string(Index node) const;
  // Returns the name of an object that has no other field, such as an operator.
  std::string nameOfObject(Index node) const;
  // Return the value of a node that is a plain number (3, 0.5, true), not an expression of the program.
  std::int64_t plainInteger(Index node) const;
  double plainReal(Index node) const;

 private:
  const nlohmann::ordered_json& node(Index index) const;
  const nlohmann::ordered_json* find(Index node, const char* name) const;
  const nlohmann::ordered_json& field(Index node, const char* name) const;
  Index indexOf(const nlohmann::ordered_json& value) const;

  const nlohmann::ordered_json* nodes_;
  Index root_ = 0;
};

}  // namespace loom::script
