// Macros for the rewriting rules in rules_*.cpp. A rule stands in a function of Rewriter, in which `e` is the
// expression to simplify; patterns are those of pattern.h.
//   RULE(pattern, result)            if e matches the pattern, returns the result
//   RULE_IF(pattern, result, cond)   as RULE, but only if cond holds, which may use what the pattern's names matched
//   RULE_AGAIN, RULE_AGAIN_IF        as RULE and RULE_IF, but the result is simplified once more (Rewriter::again)
// A semicolon ends a rule. Each is an `if` without `else`, so one that is itself the body of an `if` needs braces. The
// names (Any x, y; Const c1; …) are declared once for all rules of a function; each rule forgets what they matched
// before. Rules are tried from top to bottom; the first that applies wins, and behind the last one the function goes
// on. The order of the rules and their results are those of TVM 0.22.
#pragma once
#include "core/arith/pattern.h"
#include "core/arith/rewriter.h"
#include "core/arith/state.h"

#define RULE(pattern, result) \
  if ((pattern).match(e)) return (result).build()
#define RULE_IF(pattern, result, ...) \
  if ((pattern).match(e, [&] { return (__VA_ARGS__); })) return (result).build()
#define RULE_AGAIN(pattern, result) \
  if ((pattern).match(e)) return again((result).build())
#define RULE_AGAIN_IF(pattern, result, ...) \
  if ((pattern).match(e, [&] { return (__VA_ARGS__); })) return again((result).build())
