// The values of expressions in a Python script that schedules a TensorIR program. The calls of schedule primitives are
// recorded as step lines, one line of Python each: `i, j = sch.split(k, [None, 16])`. Internal to core/notebook.
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

// A Python list, tuple or set; whoever makes a set gives it no two equal items. The destructor frees nested lists
// without recursion, however deeply a script nests them.
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
  std::vector<std::pair<Value, Value>> items;  // keys and values, in the order in which the keys were added
};

// The names that are defined in the module, in one call of a function, or in a comprehension.
struct Scope {
  std::map<std::string, Value, std::less<>> names;
  std::shared_ptr<Scope> outer;  // the scope where other names are looked up; null for the module
  std::map<std::string, std::string, std::less<>> declared;  // by name: "global" or "nonlocal", if it is declared so
};

// A `def` or a lambda: one of `definition` and `lambda` is null. The script's syntax tree owns what they point to, and
// outlives all values.
struct Function {
  std::string name;
  const script::Statement* definition = nullptr;  // null for a lambda
  const script::Node* lambda = nullptr;           // null for a `def`
  std::shared_ptr<Scope> scope;                   // the scope in which it is defined
  std::vector<std::optional<Value>> defaults;     // by parameter; nothing for one without a default
  bool wasCalled = false;
};

// A function or module in TVMScript. It is parsed only when its module is needed, because a text may print programs in
// a dialect that can't be parsed here.
struct ScriptedModule {
  std::string name;
  const script::Statement* definition = nullptr;  // in the script's syntax tree; never null once it is made
  script::Surroundings around;                    // the names of the script that it may use
  std::optional<ir::Module> module;               // nothing until it is parsed without an error
  bool isModule = false;                          // whether it is a class and not a function
  bool used = false;                              // whether a tensor intrinsic was registered with it
};

// A schedule, to which step lines are applied one after another. The interpreter keeps all schedules until it ends.
struct Schedule {
  int run = 0;             // its index among the recorded schedules (Read::runs of notebook.h)
  schedule::State state;   // the program after the lines so far
  std::uint32_t step = 0;  // the last line's number, by which new objects get ids (ir::Id::step); lines count up
  // By a name that step lines have assigned: the handles that the name, or an item of the list of that name, stands for
  // in step lines; nulls are those that no value holds any more. Interpreter::handle, which makes all handles, enters
  // them. A step line must not assign a name again as long as a value of the script still holds a handle of that name,
  // which would then mean something else: Interpreter::freeName chooses another one.
  std::map<std::string, std::vector<std::weak_ptr<struct Handle>>, std::less<>> named;
};

// A block, a loop or a sampled number of a schedule. `text` is what stands for it in step lines: a name, or an item of
// a named list.
struct Handle {
  script::StepValue text;
  Schedule* schedule = nullptr;  // whose handle it is, owned by the interpreter; null only while it is being made
};
// A call of a primitive that isn't applied yet. It becomes part of the step line that its result is used in, or a line
// of its own when the script needs its value.
struct Pending {
  script::StepValue call;
  std::shared_ptr<Schedule> schedule;
};
// A value that is only written into step lines and index maps and has no number here: T.float32(1), an index of a
// lambda.
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
// A name that TVM defines, by its path: "tvm.tir.Schedule".
struct Foreign {
  std::string path;
};
// The value of `sch.mod`, the current module of a schedule.
struct ScheduledModule {
  std::shared_ptr<Schedule> schedule;
};
// The value of `sch.get(loop)`.
struct LoopView {
  std::optional<std::int64_t> extent;  // nothing if it isn't constant
};
// A value that only a real Python could compute. `what` names its origin: "numpy", "tvm.build", "printing".
struct Opaque {
  Message what;
};

// A Python value. std::monostate is None.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::shared_ptr<Sequence>,
               std::shared_ptr<Dictionary>, std::shared_ptr<Function>, std::shared_ptr<ScriptedModule>,
               std::shared_ptr<Schedule>, std::shared_ptr<Handle>, Pending, Symbol, Builtin, Method, Foreign,
               ScheduledModule, LoopView, Opaque>
      v;

  // Returns the value as a T; null if it is of another type.
  template <class T>
  const T* get() const {
    return std::get_if<T>(&v);
  }
  bool isNone() const { return std::holds_alternative<std::monostate>(v); }
  // Return the value as a list, tuple or set, or as a dictionary; null if it is none.
  const Sequence* sequence() const;
  const Dictionary* dictionary() const;
  // Returns the value of an integer or a bool; nothing for other values.
  std::optional<std::int64_t> integer() const;
  // Returns the value of a float, an integer or a bool; nothing for other values.
  std::optional<double> number() const;
  // Returns the kind of the value for messages: "an integer", "a schedule".
  Message describe() const;
};

// Makes a list, tuple or set of these items.
Value listOf(std::vector<Value> items, Sequence::Kind kind = Sequence::Kind::List);
// Makes an Opaque value; `what` names its origin.
Value opaque(Message what);

// Returns the first Opaque in a value, the items of lists and dictionaries included; null if there is none. Items that
// are nested more than 20 deep and those after the first 200,000 aren't searched.
const Opaque* opaquePart(const Value& value);

// Returns whether two values are equal by Python's ==. Functions, schedules and modules in TVMScript are equal only to
// themselves, handles also if step lines of the same schedule write them alike, and TVM's names (Foreign) if their
// paths are equal. False for symbols, pending calls, opaque values, the values of `sch.mod` and `sch.get(loop)`,
// methods and builtin functions, even compared with themselves, for containers nested more than 100 deep, and if one
// call takes over five million comparisons. Adds the number of this call's comparisons to `compared`.
bool equal(const Value& a, const Value& b, std::int64_t& compared);
// Return Python's str() and repr() of a value. Handles and symbols are written as step lines write them. A value of
// which Python would print an address (functions, schedules, programs), or that stands for no value here, is written as
// its kind in English, "<a schedule>". Containers are cut after about 100,000 bytes and at a depth of 20. Of the
// characters in strings, `representation` escapes quotes, backslashes and ASCII's control characters.
std::string textOf(const Value& value);
std::string representation(const Value& value);

// The exception by which an error unwinds inside the interpreter. The interpreter catches it; it never reaches other
// folders.
struct Raised {
  Error error;
  bool isRefusal = false;  // whether a schedule primitive refused its arguments; else the script is wrong
};

}  // namespace loom::notebook
