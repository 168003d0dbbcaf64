// What an expression of a script gives. Private to the room.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/stmt.h"
#include "core/schedule/state.h"
#include "core/script/definition.h"
#include "core/script/python_ast.h"
#include "core/script/step_line.h"

namespace loom::notebook {

struct Value;

// Lists in lists are let go one after another, however deep a script nests them.
struct Sequence {
  enum class Kind { List, Tuple, Set };
  Sequence(Kind k, std::vector<Value> i);
  Sequence(const Sequence&) = default;
  Sequence& operator=(const Sequence&) = default;
  ~Sequence();
  Kind kind = Kind::List;
  std::vector<Value> items;
};
// A Python dictionary.
struct Dictionary {
  Dictionary() = default;
  Dictionary(const Dictionary&) = default;
  Dictionary& operator=(const Dictionary&) = default;
  ~Dictionary();
  std::vector<std::pair<Value, Value>> items;  // in the order in which the keys came
};

// Names of one level: of the module, a function's call, a comprehension.
struct Scope {
  std::map<std::string, Value, std::less<>> names;
  std::shared_ptr<Scope> outer;  // where names that aren't here are looked up; null for the module
  std::map<std::string, std::string, std::less<>> declared;  // "global" or "nonlocal" by name
};

// A `def` or a lambda.
struct Function {
  std::string name;
  const script::Statement* definition = nullptr;  // null for a lambda
  const script::Node* lambda = nullptr;
  std::shared_ptr<Scope> scope;  // that it was defined in
  std::vector<std::optional<Value>> defaults;
  bool wasCalled = false;
};

// A function or module in TVMScript. It is read when it is asked for: one that a text only prints may be in a dialect
// that isn't read.
struct ScriptedModule {
  std::string name;
  const script::Statement* definition = nullptr;
  script::Surroundings around;
  std::optional<ir::Module> module;
  bool isModule = false;  // a class
  bool used = false;
};

// A schedule: lines are applied to it one after another.
struct Schedule {
  int run = 0;  // its index in Read::runs
  std::string name;
  schedule::State state;
  std::uint32_t step = 0;
  // What the names of its lines stand for, as far as anything still holds it.
  std::map<std::string, std::vector<std::weak_ptr<struct Handle>>, std::less<>> named;
};

// A block, a loop or a sampled number, as step lines call it: a name, or an item of a named list.
struct Handle {
  script::StepValue text;
  Schedule* schedule = nullptr;
};
// A call of a primitive that becomes part of the line around it, or, when something asks for its value, a line.
struct Pending {
  script::StepValue call;
  std::shared_ptr<Schedule> schedule;
};
// A value that only step lines and index maps compute with: T.float32(1), an index of a lambda.
struct Symbol {
  script::StepValue value;
};
// A Python function that the interpreter knows, such as `range`.
struct Builtin {
  std::string name;
};
// A method of a value, before it is called.
struct Method {
  std::shared_ptr<Value> object;
  std::string name;
};
// A name of TVM's, by its path: "tvm.tir.Schedule".
struct Foreign {
  std::string path;
};
// `sch.mod`
struct ScheduledModule {
  std::shared_ptr<Schedule> schedule;
};
// `sch.get(loop)`: what can be asked of it.
struct LoopView {
  std::optional<std::int64_t> extent;
};
// A value that is known only when Python runs: "numpy", "tvm.build", "printing".
struct Opaque {
  Message what;
};

// A Python value.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::shared_ptr<Sequence>,
               std::shared_ptr<Dictionary>, std::shared_ptr<Function>, std::shared_ptr<ScriptedModule>,
               std::shared_ptr<Schedule>, std::shared_ptr<Handle>, Pending, Symbol, Builtin, Method, Foreign,
               ScheduledModule, LoopView, Opaque>
      v;

  template <class T>
  const T* get() const {
    return std::get_if<T>(&v);
  }
  bool isNone() const { return std::holds_alternative<std::monostate>(v); }
  const Sequence* sequence() const;
  const Dictionary* dictionary() const;
  // Returns the value of an integer or a bool; else nothing.
  std::optional<std::int64_t> integer() const;
  // Returns the value of a number, an integer or a bool; else nothing.
  std::optional<double> number() const;
  // Returns what it is, for messages: "an integer", "a schedule".
  Message describe() const;
};

Value listOf(std::vector<Value> items, Sequence::Kind kind = Sequence::Kind::List);
Value opaque(Message what);

// Returns what is opaque in a value, at any depth; null if nothing is.
const Opaque* opaquePart(const Value& value);

// Returns whether values are equal by Python's ==. Handles and functions are equal only to themselves.
bool equal(const Value& a, const Value& b);
// Return Python's str() and repr(). Handles are written as lines call them.
std::string textOf(const Value& value);
std::string representation(const Value& value);

// The exception by which an error unwinds inside the interpreter. It never leaves the room.
struct Raised {
  Error error;
  bool isRefusal = false;  // of a primitive, not an error of the script
};

}  // namespace loom::notebook
