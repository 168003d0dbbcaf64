// Reads and writes TVM's trace as JSON: [[[kind, inputs, attributes, outputs], …], [[index, decision], …]]. A
// TraceShape, which core/schedule makes from its table of primitives, says how a kind of instruction corresponds to a
// TraceCall, which is a call of a primitive with all of its arguments (trace_python.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/script/trace_python.h"

namespace loom::script {

// One instruction as it stands in the JSON. Inputs are names of results (Name), None, numbers, strings, and lists and
// dictionaries of these. Attributes are the same without names. An index map is a String here, the graph of nodes that
// TVM saves, by whose form the conversions know it; in a TraceCall it is a lambda.
struct TraceInstruction {
  std::string kind;  // "Split"
  std::vector<StepValue> inputs, attributes;
  std::vector<std::string> outputs;   // the names of the results
  std::optional<StepValue> decision;  // the value that a sampling instruction drew; nothing if none is recorded
  friend bool operator==(const TraceInstruction&, const TraceInstruction&) = default;
};

// Reads the instructions of a trace, from the form above or from the graph of objects that
// `tvm.ir.save_json(sch.trace.as_json())` returns. `file` names the text in errors. Error "ParseError"
// for bad JSON, with its place, and for JSON of another shape, with line 1 and column 1 as its place.
Result<std::vector<TraceInstruction>> readTraceJson(std::string_view text, std::string_view file);
// Returns the JSON of the instructions on one line, in the form of lists above, as TVM writes it.
std::string writeTraceJson(const std::vector<TraceInstruction>& instructions);

// Where an argument of the Python call stands in the JSON instruction.
struct TraceField {
  enum class Place {
    Input,         // the next input
    RestInputs,    // all further inputs as one list (split's factors)
    SpreadInputs,  // all further inputs, each a positional argument (fuse, reorder, merge)
    Attribute,     // the next attribute
    BoolFlag,      // the next attribute, true or false (split)
    IntFlag,       // the next attribute, 1 or 0 for true and false (fuse)
    BufferSide,    // the next two attributes: index and 0 for ("read", index), 1 for ("write", index)
    LastFlag,      // the next attribute, 1 or 0, if there is one; the call leaves the argument out when it is 0
    OptionalList,  // the next input, a list; the call leaves the argument out when it is empty (consumer_blocks)
  };
  std::string parameter;  // the argument's name in the call; empty for SpreadInputs
  Place place = Place::Input;
};

// How the calls of one primitive are written in a trace's JSON.
struct TraceShape {
  std::string kind;       // "Split"
  std::string primitive;  // "split"
  // The arguments in the order of the printed call. Inputs and attributes are each taken in this order; the two may be
  // mixed (annotate prints its key, an attribute, between its two inputs).
  std::vector<TraceField> fields;
  bool listResult = false;  // whether the result is a list; one name then gets a comma in the call: `b1, = sch.…`
};

// Converts an instruction to a call. `shape` must be that of its kind. The results and the decision, which has no field
// in the shape, are taken over (TraceCall::decision). Error "ParseError" if it has too few or too many inputs or
// attributes for its shape, or an index map that can't be read.
Result<TraceCall> toCall(const TraceInstruction& instruction, const TraceShape& shape);
// Converts a call to an instruction. `shape` must be that of its primitive. The results and the decision are taken
// over, as by `toCall`. Error "TypeError" if the call lacks an argument of the shape (other than LastFlag and
// OptionalList), has one that the shape lacks, or has its arguments in another order than the shape's fields.
Result<TraceInstruction> toInstruction(const TraceCall& call, const TraceShape& shape);

}  // namespace loom::script
