// Any object of TVM's as `tvm.ir.save_json` writes it: a list of nodes that name each other by their index. Read into
// typed questions; what an object means, saved_program.h knows. Private to the room.
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

// Thrown by everything below where the graph isn't what was asked for: a sentence's end.
struct NotAsSaved {
  Message what;
};

// A graph of nodes that TVM saved as JSON, with typed access to them. Throws NotAsSaved if a node isn't of the type
// that is asked for.
class SavedGraph {
 public:
  using Index = std::size_t;  // of a node; 0 is null

  explicit SavedGraph(const nlohmann::ordered_json& json);

  Index root() const { return root_; }
  Index size() const { return nodes_->size(); }
  // Returns the type of a node, "tir.Add", "IRModule", "Array", without the prefixes that TVM gave and dropped over the
  // years ("ir.", "ffi.", "runtime."); "None" for null.
  std::string_view type(Index node) const;
  [[noreturn]] void unexpected(Index node, const Message& expected) const;

  // Fields of an object.
  bool has(Index node, const char* field) const;
  Index reference(Index node, const char* field) const;  // 0: null
  Index need(Index node, const char* field) const;       // not null
  std::int64_t integer(Index node, const char* field) const;
  double real(Index node, const char* field) const;
  std::string word(Index node, const char* field) const;  // in the field itself: a dtype
  std::string text(Index node, const char* field) const;  // in a node of its own: a name
  std::vector<Index> list(Index node, const char* field) const;

  // Return the values of a node.
  std::vector<Index> items(Index array) const;
  std::vector<std::pair<Index, Index>> entries(Index map) const;             // keys are objects
  std::vector<std::pair<std::string, Index>> namedEntries(Index map) const;  // keys are strings
  std::string string(Index node) const;
  // Returns the name of an object that has nothing but a name: an operator.
  std::string nameOfObject(Index node) const;
  // Return the value of a number that is no object of the program: 3, 0.5, true.
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
