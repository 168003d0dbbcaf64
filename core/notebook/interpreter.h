// Runs the statements of a Python script that schedules a program. Each call of a schedule primitive becomes a step
// line, a line of Python whose arguments are computed. Internal to core/notebook; others use notebook.h.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/intrin/intrinsic.h"
#include "core/notebook/notebook.h"
#include "core/notebook/passed_over.h"
#include "core/notebook/value.h"
#include "core/script/step_reader.h"

namespace loom::notebook {

// Limits beyond which a script is stopped with an error.
inline constexpr std::int64_t kMostSteps = 2'000'000;  // expressions and statements executed
inline constexpr int kMostCalls = 60;                  // calls of the script's functions nested in each other
inline constexpr int kMostDepth = 1500;  // expressions and statements nested in each other, through calls too
inline constexpr std::size_t kMostItems = 100'000;   // items of one list
inline constexpr int kMostFunctions = 2000;          // functions that the script defines, lambdas included
inline constexpr std::size_t kMostText = 1'000'000;  // bytes of one string
inline constexpr std::size_t kMostLines = 500'000;   // step lines of all schedules together

// The evaluated positional and keyword arguments of a call.
struct CallArguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;

  // Returns the argument at the position or of the name; null if it isn't given.
  const Value* find(std::size_t position, std::string_view name) const;
};

// Executes the statements of a script and records the schedules that it makes. Statements that can't affect a schedule
// are skipped; Read::remarks of the result names them. An object reads one script: one calls `give` (for a script that
// continues a schedule), `passText`, `run`, `callUncalled` and `take`, in this order, each at most once.
class Interpreter {
 public:
  // `source` is the text of all statements that the interpreter runs. `environment` has the tensor intrinsics that the
  // script's schedules may use; those that the script registers are added to a copy. `source` and the environment's
  // intrinsics must outlive the interpreter.
  Interpreter(const script::SourceText& source, const schedule::Environment& environment);
  // Clears all scopes: a function holds the scope in which it is defined, and that scope holds the function.
  ~Interpreter();

  // Defines `sch` as a schedule that continues the scheduled program `state`; its lines are the first of Read::runs.
  void give(const schedule::State& state);
  // Notes that these lines of the text, counted from 1, were skipped because they are no code.
  void passText(const std::vector<int>& lines);
  // Runs the statements of the script itself, which must outlive the interpreter. An error ends the run and becomes
  // Read::refusal of the result.
  void run(const std::vector<script::StatementPtr>& statements);
  // If no step was recorded and no error ended the run, calls the function, defined at the script's top level, that
  // needs exactly one argument, its first one: with the schedule that `sch` is, or, if `sch` is none, a new one of the
  // last module. Does nothing if several such functions, or none, were left uncalled. An error becomes Read::refusal.
  // `statements` are those given to `run`.
  void callUncalled(const std::vector<script::StatementPtr>& statements);
  // Returns what was read; the interpreter is of no use afterwards.
  Read take();

 private:
  enum class Flow { Next, Break, Continue, Return };
  using Statements = std::vector<script::StatementPtr>;
  using Node = script::Node;
  using Statement = script::Statement;

  // statements.cpp
  Flow runAll(const Statements& statements);
  Flow execute(const Statement& s);
  void expressionStatement(const Statement& s);
  void assignment(const Statement& s);
  void augmented(const Statement& s);
  Flow forStatement(const Statement& s);
  Flow whileStatement(const Statement& s);
  Flow ifStatement(const Statement& s);
  Flow withStatement(const Statement& s);
  Flow tryStatement(const Statement& s);
  void assertStatement(const Statement& s);
  [[noreturn]] void raiseStatement(const Statement& s);
  void deleteStatement(const Statement& s);
  void define(const Statement& s);
  // Skips a statement that nothing but Python could execute, for the reason `why`; raises an error if it may change a
  // schedule.
  Flow passOver(const Statement& s, const Message& why);
  void assign(const Node& target, Value value);
  void store(const Node& target, Value value);
  // Returns whether an `except` clause handles an error: `code` is Python's name of the error, and the clause may name
  // a base class of it.
  bool handles(const script::Handler& handler, const std::string& code);

  // references.cpp. Return whether executing a statement, evaluating a node or using a value could change a schedule.
  bool touchesSchedule(const Statement& s, std::set<const void*>& seen);
  bool touchesSchedule(const Node& n, std::set<const void*>& seen);
  bool touchesSchedule(const Value& v, std::set<const void*>& seen, int depth = 0);
  // Makes the names that a skipped statement assigns Opaque.
  void forgetAssigned(const Statement& s, const Message& why);

  // expressions.cpp
  Value evaluate(const Node& n);
  Value evaluateForced(const Node& n, const std::string& hint = "");
  Value name(const Node& n);
  Value display(const Node& n);
  Value dictionary(const Node& n);
  Value subscript(const Node& n);
  Value attribute(const Node& n);
  Value conditional(const Node& n);
  Value logic(const Node& n);
  Value compare(const Node& n);
  Value comprehension(const Node& n);
  void comprehend(const Node& n, std::size_t clause, std::vector<Value>& items, std::vector<Value>& values);
  Value formatted(const Node& n);
  bool truth(const Value& v, const Node& at);
  // containers.cpp. Comparisons count as steps, so that long containers can't stop the interpreter.
  bool same(const Value& a, const Value& b, const Node& at);
  std::vector<Value>::const_iterator find(const std::vector<Value>& items, const Value& sought, const Node& at);
  std::vector<std::pair<Value, Value>>::const_iterator find(const Dictionary& d, const Value& key, const Node& at);
  // Sets the value of a key; a key that is there keeps its place, as in Python.
  void put(Dictionary& d, Value key, Value value, const Node& at);
  // Returns the values without those that equal an earlier one.
  std::vector<Value> unique(std::vector<Value> values, const Node& at);
  std::vector<Value> iterate(Value v, const Node& at, const std::string& hint = "");

  // arithmetic.cpp
  Value unary(const std::string& op, const Value& v, const Node& at);
  Value binary(const std::string& op, const Value& a, const Value& b, const Node& at);
  std::optional<bool> compareTwo(const std::string& op, const Value& a, const Value& b, const Node& at);
  Value percentFormat(const std::string& format, const Value& value, const Node& at);
  std::string formatValue(const Value& v, const std::string& specification, const Node& at);

  // calls.cpp
  Value call(const Node& n);
  CallArguments arguments(const Node& n);
  Value callValue(const Value& callee, CallArguments arguments, const Node& at);
  Value callFunction(Function& f, CallArguments arguments, const Node& at);
  // signatures.cpp. Raises an error for arguments that one of Python's functions or methods hasn't, or not here.
  // `type` is "" for a function, and else "str", "list", "dict" or "math".
  void refuseOthers(const std::string& type, const std::string& name, const CallArguments& arguments, const Node& at);
  Value builtin(const std::string& name, CallArguments& arguments, const Node& at);
  Value method(const Method& m, CallArguments& arguments, const Node& at);
  Value textMethod(const std::string& text, const std::string& name, CallArguments& arguments, const Node& at);
  Value listMethod(const std::shared_ptr<Sequence>& list, const std::string& name, CallArguments& arguments,
                   const Node& at);
  Value dictionaryMethod(const std::shared_ptr<Dictionary>& d, const std::string& name, CallArguments& arguments,
                         const Node& at);
  void sortItems(std::vector<Value>& items, CallArguments& arguments, const Node& at);

  // tvm_names.cpp
  void import(const Statement& s);
  Value foreignAttribute(const std::string& path, const std::string& name);
  Value callForeign(const std::string& path, CallArguments& arguments, const Node& at);
  Value mathCall(const std::string& name, CallArguments& given, const Node& at);
  Value makeSchedule(CallArguments& arguments, const Node& at);
  std::shared_ptr<Schedule> unseededSchedule(CallArguments& arguments, const Node& at);
  Value registerIntrinsic(CallArguments& arguments, const Node& at);
  const ir::Module& moduleOf(ScriptedModule& p);
  std::shared_ptr<ScriptedModule> programIn(const Value& v);
  script::Surroundings surroundingsOf(const Statement& s);
  void collectNames(const Statement& s, std::set<std::string>& names);
  void collectNames(const Node& n, std::set<std::string>& names);

  // schedule_calls.cpp
  // Records a statement that is a step line already, as it is written. Returns false, and does nothing, if it is none.
  bool plainLine(const Statement& s);
  std::shared_ptr<Schedule> scheduleNamed(std::string_view name);
  bool isPlain(const script::StepValue& v, std::set<std::string> lambdaNames, bool& sawHandle);
  bool standsAsItself(const std::string& name);
  // Returns the value of a call of a primitive, which is applied only when it is needed (Pending).
  Value pendingCall(const std::shared_ptr<Schedule>& schedule, const std::string& primitive, CallArguments arguments,
                    const Node& at);
  Value scheduleAttribute(const std::shared_ptr<Schedule>& schedule, const std::string& name);
  Value scheduleMethod(const std::shared_ptr<Schedule>& schedule, const std::string& name, CallArguments& arguments,
                       const Node& at);
  // Returns a value as an argument of a step line.
  script::StepValue written(const Value& v, const Node& at, int depth = 0);
  script::StepValue indexMap(const Value& f, const Node& at);
  // Emits the step line of a pending call, because its value is needed, and returns the value; returns other values as
  // they are.
  Value force(Value v, const std::string& hint, const Node& at);
  // Assigns the results of a pending call to several names in one step line. Returns false if one line can't do that.
  bool unpackCall(const Node& target, const Value& v);
  // Applies a line to a schedule and records it.
  void emit(Schedule& schedule, script::StepCall line);
  // Returns the handle, or the list of handles, that the schedule has under a name.
  Value bound(const std::shared_ptr<Schedule>& schedule, const std::string& name);
  // Returns a name for a result: `wanted`, followed by a number if something that is still in use has that name.
  // `given` are the script's names that are about to be reassigned.
  std::string freeName(Schedule& schedule, const std::string& wanted, const std::vector<std::string>& given);
  std::shared_ptr<Handle> handle(const std::shared_ptr<Schedule>& schedule, const std::string& name, int item = -1);

  void end(Raised& raised);
  [[noreturn]] void raise(const Node& at, const std::string& code, Message message) const;
  [[noreturn]] void raise(int line, int column, const std::string& code, Message message) const;
  // Counts steps of execution, and functions; raises "TooLong" beyond the limits.
  void spend(int line, int column, std::int64_t steps = 1);
  void countFunction(int line, int column);
  // Raises "ValueError" if the value has a part that only Python knows (Opaque); `what` names the value.
  void mustKnow(const Value& v, const Node& at, const Message& what);

  Value* lookup(std::string_view name);
  void set(const std::string& name, Value value);

  struct Level {
    explicit Level(Interpreter& i, int line, int column) : interpreter(i) {
      if (++interpreter.depth_ > kMostDepth) {
        --interpreter.depth_;
        interpreter.raise(line, column, "RecursionError", message("this is nested too deeply"));
      }
    }
    ~Level() { --interpreter.depth_; }
    Interpreter& interpreter;
  };

  const script::SourceText& source_;
  script::StepReader reader_;
  schedule::Environment given_, environment_;
  intrin::Library library_;                   // the environment's intrinsics and those that the text registers
  std::vector<std::weak_ptr<Scope>> scopes_;  // all scopes that were made, for the destructor
  std::shared_ptr<Scope> module_, scope_;
  std::shared_ptr<Scope> newScope(std::shared_ptr<Scope> outer);
  const Statement* statement_ = nullptr;  // the statement that is being executed
  Value returned_;
  std::vector<std::shared_ptr<Schedule>> schedules_;
  std::vector<std::shared_ptr<ScriptedModule>> programs_;
  std::vector<std::shared_ptr<ScriptedModule>> runPrograms_;  // by run: the module it schedules; null for `give`
  std::vector<std::shared_ptr<Function>> functions_;
  bool isGiven_ = false;  // whether `give` was called
  int tries_ = 0;         // number of try statements around the current statement
  PassedOver passed_;
  Read read_;
  std::int64_t steps_ = 0, compared_ = 0;
  std::size_t lines_ = 0;
  int depth_ = 0, calls_ = 0, made_ = 0;
};

}  // namespace loom::notebook
