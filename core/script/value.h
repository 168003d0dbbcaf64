// What an expression of a TVMScript text evaluates to: a Python value, or a piece of the program. Private to the room.
#pragma once
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/stmt.h"
#include "core/script/python_ast.h"

namespace loom::script {

struct Value;
// A list or a tuple.
struct Sequence {
  std::shared_ptr<const std::vector<Value>> items;
  bool isTuple = false;
};
// A dictionary.
struct Dictionary {
  std::shared_ptr<const std::vector<std::pair<Value, Value>>> items;
};
// `T.int32` itself, not called: the type of a parameter or of a let.
struct TypeName {
  ir::DType dtype;
};

// A value of TVMScript while it is read.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, ir::Expr, ir::Buffer, ir::BufferRegion,
               Sequence, Dictionary, TypeName>
      v;

  template <class T>
  const T* get() const {
    return std::get_if<T>(&v);
  }
  bool isNone() const { return std::holds_alternative<std::monostate>(v); }
  bool isNumber() const { return get<bool>() || get<std::int64_t>() || get<double>(); }
  // Returns what it is, for messages: "an integer", "a buffer".
  Message describe() const;
};

Value sequence(std::vector<Value> items, bool isTuple);

// The exception by which a refusal unwinds inside the reader. It never leaves parseModule, which turns it into a value.
struct Refusal {
  Error error;
};

}  // namespace loom::script
