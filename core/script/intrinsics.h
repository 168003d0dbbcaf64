// The operators of TVMScript that are plain calls: what they are named and which dtype they have. Private to the room.
// Source: TVM 0.22, python/tvm/tir/op.py.
#pragma once
#include <string_view>

#include "core/ir/dtype.h"

namespace loom::script {

// An operator of TensorIR that TVMScript calls as T.name(…), and the dtype of its result.
struct Intrinsic {
  enum class Rule {
    Like,     // of the dtype of its argument number `like`
    Fixed,    // of `dtype`
    Forward,  // of the dtype named by its first argument, which is no argument of the call
  };
  std::string_view name;  // T.name
  std::string_view op;    // the call's operator
  Rule rule = Rule::Like;
  ir::DType dtype{};
  int least = 1, most = 1;  // how many arguments; most -1 for any number
  int like = 0;
};

// Returns the row of a name; null if there is none.
const Intrinsic* findIntrinsic(std::string_view name);

}  // namespace loom::script
