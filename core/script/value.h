// The values of expressions in a TVMScript text: a Python value, or a part of the program. Internal to core/script.
#pragma once
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/stmt.h"
#include "core/script/python_ast.h"

namespace loom::script {

struct Value;
// A list or a tuple. `items` is never null, here and in Dictionary.
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

// The value of an expression. std::monostate is Python's None.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, ir::Expr, ir::Buffer, ir::BufferRegion,
               Sequence, Dictionary, TypeName>
      v;

  // Returns the value as a T; null if it is of another type, also a bool for an integer.
  template <class T>
  const T* get() const {
    return std::get_if<T>(&v);
  }
  bool isNone() const { return std::holds_alternative<std::monostate>(v); }
  // Returns whether the value is a Python number or bool; false for expressions of the program.
  bool isNumber() const { return get<bool>() || get<std::int64_t>() || get<double>(); }
  // Returns the kind of the value for messages: "an integer", "a buffer".
  Message describe() const;
};

// Makes a tuple if `isTuple` is true, else a list.
Value sequence(std::vector<Value> items, bool isTuple);

// The exception by which an error unwinds inside the reader of TVMScript. The reader's entry points (parseModule and
// others) catch it and return the error as a value.
struct Refusal {
  Error error;
};

}  // namespace loom::script
