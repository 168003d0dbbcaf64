// The table of instructions, with one row for each primitive of a schedule (split, fuse, cache_read, …). Forms, the
// palette, the command line, the script syntax, traces, help and menus are all made from it. A step line is a line of a
// schedule: a call of a primitive, with names for its results on its left side. A State is a program after some steps;
// a Handle refers to a loop, a block or an expression of it; a Draft is a copy that a primitive rewrites to the next
// state.
#pragma once
#include <functional>
#include <span>

#include "core/schedule/draft.h"

namespace loom::script {
struct StepCall;   // a step line as it was parsed, without types: core/script/step_line.h
struct StepValue;  // an argument as it was parsed, without a type: core/script/step_line.h
}  // namespace loom::script

namespace loom::schedule {

// A lambda without free names, as it was written. Never null.
using Lambda = std::shared_ptr<const script::StepValue>;
// A value of an argument: None, bool, int, float, string, a loop or block, an expression, a list, a dict or a lambda.
struct Value;
using List = std::vector<Value>;
struct DictEntry;
using Dict = std::vector<DictEntry>;  // in the order written
// A value of an argument or a result of a primitive.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Handle, ir::Expr, List, Dict, Lambda> value;

  bool isNone() const { return std::holds_alternative<std::monostate>(value); }
  // Returns the value as a T; null if it is of another type.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
};
// An entry of a dictionary argument.
struct DictEntry {
  std::string key;
  Value value;
};

// The types of parameters. They decide how an argument is bound, offered in forms, and printed.
enum class ParameterType {
  Block,  // a block, or its name
  Loop,
  BlockOrLoop,
  Blocks,  // None, or a list of blocks or of their names
  Loops,   // list of loops; as the last, variadic parameter: all further positional arguments
  Bool,
  Int,
  String,
  OptionalString,
  Factors,           // list of int, None, expression
  ThreadAxis,        // "blockIdx.x"…
  StorageScope,      // "shared"…
  Intrinsic,         // name of a tensor intrinsic
  ReadBuffer,        // index of a read, or the buffer's name
  WriteBuffer,       // index of a write, or the buffer's name
  Buffer,            // ("read" or "write", index), or its name
  Annotation,        // int, float, string, list, dict, expression
  BlocksOrLoop,      // a loop or a list of blocks (blockize's target)
  Integers,          // list of integers
  Floats,            // list of floats
  OptionalInt,       // None or an integer
  OptionalIntegers,  // None or a list of integers
  IndexMap,          // a lambda from indices to indices
  PadValue,          // None, a number, or a lambda from indices to one
};

// A parameter of a primitive.
struct Parameter {
  std::string_view name;                    // as in TVM's Python
  ParameterType type = ParameterType::Int;  // of its values
  std::optional<Value> fallback;            // its default; nothing: the argument is required
  std::string_view unit;                    // "elements", "bytes", "iterations", or ""
  std::string_view en, zh;                  // one line of help in English and Chinese
  bool variadic = false;                    // takes all further positional arguments
  bool byNumber = false;  // for ReadBuffer, WriteBuffer: only an index binds, as in TVM's Python, no name
};

// The bound arguments of one call: all parameters have a value of the right type, loops and blocks exist, blocks that
// were given by name have been looked up, and defaults are filled in.
class Arguments {
 public:
  Arguments(std::span<const Parameter> parameters, std::vector<Value> values, std::vector<Id> namedBlocks = {})
      : parameters_(parameters), values_(std::move(values)), namedBlocks_(std::move(namedBlocks)) {}

  // Return the value of the parameter with this name, which must be a parameter of the row (else they throw
  // std::logic_error) and of the type that the function returns, which isn't checked. `blocks` returns an empty list
  // for None.
  const Value& operator[](std::string_view name) const;
  Id block(std::string_view name) const;
  Id loop(std::string_view name) const;
  Id node(std::string_view name) const;  // the block or loop of a BlockOrLoop
  std::vector<Id> loops(std::string_view name) const;
  std::vector<Id> blocks(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  // Returns a buffer index: an integer as it is, a buffer's name as the index of the block's read (or, with `isWrite`,
  // write) region of that buffer, the last one if there are several. Error "AssertionError", as TVM's Python has it, if
  // the block has no buffer or several buffers of the name; with `isWrite`, also if the buffer is only read; without,
  // if it is written.
  Result<std::int64_t> bufferIndex(std::string_view name, const ir::BlockNode& block, bool isWrite) const;

  // The buffer that a parameter of type Buffer names, and where the block has it. Error "AssertionError", as TVM's
  // Python has it, if the block has no such region, or none or several buffers of the name.
  struct BufferPlace {
    bool isWrite = false;
    std::int64_t index = 0;
    ir::Buffer buffer;
  };
  Result<BufferPlace> buffer(std::string_view name, const ir::BlockNode& block) const;

  const std::vector<Value>& values() const { return values_; }
  std::span<const Parameter> parameters() const { return parameters_; }
  // Returns the blocks that were given by name.
  const std::vector<Id>& namedBlocks() const { return namedBlocks_; }

 private:
  std::span<const Parameter> parameters_;
  std::vector<Value> values_;
  std::vector<Id> namedBlocks_;
};

// Converts a value to that of an annotation. Integers become int32 and floats float32, as in TVM's Python. Error
// "TypeError" for values that no annotation can have.
Result<ir::AnnotationValue> annotationValue(const Value& value);

// A row of the table: one primitive.
struct Instruction {
  std::string_view name;       // as in TVM's Python: "split"
  std::string_view traceKind;  // as in TVM's traces: "Split"; empty: TVM doesn't trace the primitive (work_on)
  std::string_view group;      // "loops", "bindings", "memory", "reduction", "blocks", "inspect"
  std::vector<Parameter> parameters;
  // What a call returns: nothing, a handle or a list of handles. Expr and Exprs are numbers.
  enum class Results { None, Block, Loop, Expr, Loops, Blocks, Exprs } results = Results::None;
  // Checks whether the step is legal, and rewrites the draft. On a refusal the caller drops the draft.
  Result<Handles> (*apply)(Draft& draft, const Arguments& arguments) = nullptr;
  std::string_view en, zh;  // one line of help in English and Chinese
};

// Returns all rows in the order in which menus show them. The table is constant.
const std::vector<Instruction>& instructions();
// Returns the row of a primitive; null if there is none of that name.
const Instruction* findInstruction(std::string_view name);

// The outcome of a step that was accepted.
struct Applied {
  State next;
  Handles outputs;          // the results of the primitive; of a line, those of its last call
  double milliseconds = 0;  // how long the primitives' checks and rewriting took, of all calls of a line
  // What the outermost call decided if it is a sampling step; nothing for other steps.
  std::optional<Decision> decision = {};
};

// The uid of a step that is only tried and not kept. Steps of a document never have it.
inline constexpr std::uint32_t kTrialStep = 0xFFFFFFFF;

// Binds positional and keyword arguments to the parameters of a row. Errors: "TypeError" for unknown, missing or
// repeated arguments and for values of the wrong type; "ValueError" for loops and blocks that no longer exist, and for
// a block's name if it isn't known in which function to look; "NotSingleResult" for a name of no block or of several;
// "InternalError", as in TVM, for a result of sample_compute_location that is no loop (LoopRef::Marker).
Result<Arguments> bindArguments(const State& state, const Instruction& row, std::vector<Value> positional,
                                std::vector<std::pair<std::string, Value>> keywords);
// Applies one call to a state. `step` is the uid of the step, which the ids of the loops, blocks and buffers that it
// makes carry; no earlier step of the state may have had it. Error: the refusal of the primitive.
Result<Applied> apply(const State& state, std::uint32_t step, const Instruction& row, const Arguments& arguments,
                      const Environment& environment);
// Applies a whole line, in which calls may be nested, indexed, sliced and unpacked, and assigns its results to the
// names on its left side. Errors: the refusal of a primitive, and those of Python for such a line ("NameError",
// "TypeError", "IndexError", "AttributeError", "ValueError" if the number of names differs). `trace`, unless null,
// records each call, also those of a line that is refused in the end.
class Trace;
Result<Applied> apply(const State& state, std::uint32_t step, const script::StepCall& call,
                      const Environment& environment, Trace* trace = nullptr);

// A call with bound arguments. `state` is the state that the call is applied to: that after the calls nested in it.
struct BoundCall {
  State state;
  const Instruction* row = nullptr;  // never null
  Arguments arguments;
  // Whether it is the call of the line, perhaps indexed, and not one in that call's arguments.
  bool isOutermost = false;
};
// Returns the call of a line that a primitive refuses; nothing if the line is accepted, or is refused for another
// reason.
std::optional<BoundCall> refusedCall(const State& state, const script::StepCall& call, const Environment& environment);
// Returns the outermost call of a line, whether it is accepted or refused; nothing if the line has no call, or if its
// arguments can't be bound.
std::optional<BoundCall> outermostCall(const State& state, const script::StepCall& call,
                                       const Environment& environment);

// A value that a parameter could have.
struct Candidate {
  Value value;
  std::string text;  // as a step line writes it; loops and blocks by their printed names
  // Why the step would be refused with the value, or would leave a program that can't run (takesMeaning, warnings.h);
  // nothing: it would be accepted.
  std::optional<Error> refusal;
};
// Returns values for the parameter with index soFar.size(). `soFar` has the values of the parameters before it. Each
// value is tried by applying the step, with the defaults of the parameters after it; for parameters without a default,
// values are tried in turn until one is accepted. Returns an empty list if there is no such parameter, and if no values
// can be proposed for it.
std::vector<Candidate> candidates(const State& state, const Instruction& row, const std::vector<Value>& soFar,
                                  const Environment& environment);

}  // namespace loom::schedule
