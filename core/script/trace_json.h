// TVM's trace as JSON: [[[kind, inputs, attributes, outputs], …], [[index, decision], …]]. What a kind means is told by
// a TraceShape, which core/schedule makes from its table.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/script/trace_python.h"

namespace loom::script {

// One instruction as it stands in the file. Inputs: names (Name), None, numbers, strings, lists and dictionaries of
// those. Attributes: plain values. An index map (TVM's graph of nodes as text) stays a String, as it is; in a TraceCall
// it is a lambda.
struct TraceInstruction {
  std::string kind;  // "Split"
  std::vector<StepValue> inputs, attributes;
  std::vector<std::string> outputs;
  std::optional<StepValue> decision;
  friend bool operator==(const TraceInstruction&, const TraceInstruction&) = default;
};

// Reads the plain form and the graph of objects that `tvm.ir.save_json(sch.trace.as_json())` gives. Error "ParseError"
// with its place for bad JSON and for JSON of another shape.
Result<std::vector<TraceInstruction>> readTraceJson(std::string_view text, std::string_view file);
// Returns the instructions as one line, as TVM writes it.
std::string writeTraceJson(const std::vector<TraceInstruction>& instructions);

// Where an argument of the Python call stands in the instruction.
struct TraceField {
  enum class Place {
    Input,         // the next input
    RestInputs,    // all further inputs as one list (split's factors)
    SpreadInputs,  // all further inputs, each a positional argument (fuse, reorder, merge)
    Attribute,     // the next attribute
    BoolFlag,      // the next attribute, true or false (split)
    IntFlag,       // the next attribute, 1 or 0 for true and false (fuse)
    BufferSide,    // the next two attributes: index and 0 for ("read", index), 1 for ("write", index)
    LastFlag,      // the next attribute, 1 or 0, if there is one: left out of the call when it is 0
    OptionalList,  // the next input, a list that is left out of the call when it is empty (consumer_blocks)
  };
  std::string parameter;
  Place place = Place::Input;
};

// How the calls of a primitive stand in a trace's JSON.
struct TraceShape {
  std::string kind;       // "Split"
  std::string primitive;  // "split"
  // In the order of the printed call. Inputs and attributes are each taken in this order; the two may be mixed
  // (annotate prints its key, an attribute, between its two inputs).
  std::vector<TraceField> fields;
  bool listResult = false;
};

// Converts an instruction to a call. Error "ParseError" if it has too few or too many inputs or attributes for its
// shape.
Result<TraceCall> toCall(const TraceInstruction& instruction, const TraceShape& shape);
Result<TraceInstruction> toInstruction(const TraceCall& call, const TraceShape& shape);

}  // namespace loom::script
