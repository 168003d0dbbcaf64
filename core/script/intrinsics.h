// The operators of TVMScript that are plain calls, with the dtypes of their results. Internal to core/script.
// Source: TVM 0.22, python/tvm/tir/op.py.
#pragma once
#include <string_view>

#include "core/ir/dtype.h"

namespace loom::script {

// An operator of TensorIR that TVMScript calls as T.name(…), and the dtype of its result.
struct Intrinsic {
  enum class Rule {
    Like,     // the result has the dtype of argument number `like`, from 0
    Fixed,    // the result has the dtype `dtype`
    Forward,  // the result has the dtype that the first argument names, which is no argument of the CallNode
  };
  std::string_view name;  // the name in T.name(…)
  std::string_view op;    // the operator of the call (CallNode::op), mostly the same
  Rule rule = Rule::Like;
  ir::DType dtype{};  // for Fixed
  // The least and the greatest number of arguments, without the dtype of Forward; -1 for `most` means any number.
  int least = 1, most = 1;
  int like = 0;  // for Like
};

// Returns the operator that T.name calls, in a table that lives as long as the program; null if there is none.
const Intrinsic* findIntrinsic(std::string_view name);

}  // namespace loom::script
