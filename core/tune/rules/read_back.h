#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the values of a sketch's decisions that step lines contain, by the decisions' names. A sketch is a list of
/// step lines (calls of scheduling primitives) with open places for decisions. A step line that agrees with a line of
/// the sketch in all but its open places gives the values in these places, even values outside the decision's domain.
/// If a place holds an expression, its one unknown decision gets the value of its domain that fits, if there is exactly
/// one. Lines of the sketch that are changed or in another order give no values. The condition of a line
/// (SketchLine::when) is taken to be other than 0 if the line is there, and to be 0 if it is missing and a later line
/// is there. Returns an empty map if no step line agrees with the sketch.
std::map<std::string, std::int64_t> decisionsIn(const Sketch& sketch, const std::vector<std::string>& lines);

/// Returns the lines of a schedule that lead from the state with index `base` of a history (a tree of states of one
/// program) to the state with index `node`: for each state after `base` on the path the lines that led to it
/// (document::Node::lines), and between these the lines entered at `base` and the states after it, which only look up
/// loops and blocks (document::Node::trailing). Those entered at `node` itself are left out, as no step of the path
/// needs them. Returns none if `base` is `node` or isn't on the path to it.
std::vector<std::string> linesBetween(const document::History& history, int base, int node);
/// Returns the lines of a schedule that lead from the start of a history to the state with index `node`, as
/// `linesBetween` does.
std::vector<std::string> stepLines(const document::History& history, int node);

}  // namespace loom::tune
