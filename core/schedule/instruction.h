// THE table: a row per primitive, from which forms, palette, command line, script syntax, trace, help and legality
// menus come.
#pragma once
#include <functional>
#include <span>

#include "core/schedule/draft.h"

namespace loom::script {
struct StepCall;  // an untyped line, core/script/step_line.h
}

namespace loom::schedule {

// An argument, or a default.
struct Value;
using List = std::vector<Value>;
struct DictEntry;
using Dict = std::vector<DictEntry>;  // in the order written
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Handle, ir::Expr, List, Dict> value;

  bool isNone() const { return std::holds_alternative<std::monostate>(value); }
  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
};
struct DictEntry {
  std::string key;
  Value value;
};

enum class ParameterType {
  Block,  // a block, or its name
  Loop,
  BlockOrLoop,
  Blocks,  // list of blocks, or of their names
  Loops,   // list of loops; as the last, variadic parameter: all further positional arguments
  Bool,
  Int,
  String,
  OptionalString,
  Factors,       // list of int, None, expression
  ThreadAxis,    // "blockIdx.x"…
  StorageScope,  // "shared"…
  Intrinsic,     // name of a tensor intrinsic
  ReadBuffer,    // index of a read, or the buffer's name
  WriteBuffer,   // index of a write, or the buffer's name
  Buffer,        // (block's) index, name, or ("read", index)
  Annotation,    // int, float, string, list, dict, expression
  BlocksOrLoop,  // blockize's target
};

struct Parameter {
  std::string_view name;  // as TVM's Python has it
  ParameterType type = ParameterType::Int;
  std::optional<Value> fallback;  // nothing: required
  std::string_view unit;          // "elements", "bytes", or ""
  std::string_view en, zh;        // one line of help
  bool variadic = false;
};

// Arguments of one row, complete and of the right types: handles are alive, block names are looked up, defaults filled
// in.
class Arguments {
 public:
  Arguments(std::span<const Parameter> parameters, std::vector<Value> values, std::vector<Id> namedBlocks = {})
      : parameters_(parameters), values_(std::move(values)), namedBlocks_(std::move(namedBlocks)) {}

  // The parameter must be one of the row's (std::logic_error otherwise), and of the type.
  const Value& operator[](std::string_view name) const;
  Id block(std::string_view name) const;
  Id loop(std::string_view name) const;
  Id node(std::string_view name) const;  // the block or loop of a BlockOrLoop
  std::vector<Id> loops(std::string_view name) const;
  std::vector<Id> blocks(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  // An integer as it is; a buffer's name as the index of the block's region of that buffer (names of TVM's Python:
  // AssertionError when none or several match).
  Result<std::int64_t> bufferIndex(std::string_view name, const ir::BlockNode& block, bool isWrite) const;

  const std::vector<Value>& values() const { return values_; }
  std::span<const Parameter> parameters() const { return parameters_; }
  // The blocks that were given by name.
  const std::vector<Id>& namedBlocks() const { return namedBlocks_; }

 private:
  std::span<const Parameter> parameters_;
  std::vector<Value> values_;
  std::vector<Id> namedBlocks_;
};

// The value of an annotation as the program keeps it. Integers become int32, floats float32, as TVM's Python converts
// them.
Result<ir::AnnotationValue> annotationValue(const Value& value);

struct Instruction {
  std::string_view name;       // "split"
  std::string_view traceKind;  // "Split"
  std::string_view group;      // "loops", "bindings", "memory", "reduction", "blocks", "inspect"
  std::vector<Parameter> parameters;
  enum class Results { None, Block, Loop, Loops, Blocks } results = Results::None;
  // Checks, then rewrites the draft. On a refusal the draft is dropped.
  Result<Handles> (*apply)(Draft& draft, const Arguments& arguments) = nullptr;
  std::string_view en, zh;  // one line of help
};

// All rows in the order in which menus show them; built once, constant.
const std::vector<Instruction>& instructions();
const Instruction* findInstruction(std::string_view name);

struct Applied {
  State next;
  Handles outputs;
  double milliseconds = 0;  // of the primitive itself: checks and rewriting
};

// The uid of a step that is only tried: no history gives it.
inline constexpr std::uint32_t kTrialStep = 0xFFFFFFFF;

// Binds positional and keyword arguments to the row's parameters. TypeError for unknown, missing or repeated arguments
// and wrong types; ValueError for handles that are dead; IndexError for names of no handle.
Result<Arguments> bindArguments(const State& state, const Instruction& row, std::vector<Value> positional,
                                std::vector<std::pair<std::string, Value>> keywords);
// `step` is the uid of the step.
Result<Applied> apply(const State& state, std::uint32_t step, const Instruction& row, const Arguments& arguments,
                      const Environment& environment);
// A whole line: nested accessor calls, slices, stars, names. Assigns the results to the names on the left. TypeError
// when the number of names differs (ValueError as Python's unpacking has it). `trace`, where given, keeps what was
// called, also of a line that is refused in the end.
class Trace;
Result<Applied> apply(const State& state, std::uint32_t step, const script::StepCall& call,
                      const Environment& environment, Trace* trace = nullptr);

// A call with its arguments bound, and the state that it is applied to: calls inside it were done before.
struct BoundCall {
  State state;
  const Instruction* row = nullptr;
  Arguments arguments;
};
// The call of a line that a primitive refused; nothing when the line is accepted, or is refused for another reason.
std::optional<BoundCall> refusedCall(const State& state, const script::StepCall& call, const Environment& environment);
// The outermost call of a line, accepted or refused; nothing where the line calls nothing or its arguments don't fit.
std::optional<BoundCall> outermostCall(const State& state, const script::StepCall& call,
                                       const Environment& environment);

// A value that a parameter could take, and why not if it could not.
struct Candidate {
  Value value;
  std::string text;  // as a step line writes it; loops and blocks by their printed names
  std::optional<Error> refusal;
};
// Values of the parameter after the arguments given so far (values_[i] for i < soFar.size()); others at their defaults.
// Found by trying: a state is cheap.
std::vector<Candidate> candidates(const State& state, const Instruction& row, const std::vector<Value>& soFar,
                                  const Environment& environment);

}  // namespace loom::schedule
