// How a rule is written in rules_*.cpp: `e` is the expression at hand.
//   RULE(pattern, result)            e matches pattern: return result
//   RULE_IF(pattern, result, cond)   only if cond, which may use the names, holds
//   RULE_AGAIN, RULE_AGAIN_IF        the result is rewritten once more
// Rules are tried from top to bottom; the first that applies wins. Their order and results are those of TVM 0.22.
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
