#include "app/widgets/pipe_names.h"

#include "app/panels/performance/words.h"

namespace loom::panels {

const text::Text& wordOf(sass::Pipe pipe) {
  namespace words = text::performance;
  static constexpr const text::Text* kNames[sass::kPipes] = {
      &words::kGlobalLoad, &words::kGlobalStore, &words::kSharedLoad, &words::kSharedStore, &words::kLdMatrix,
      &words::kLocalLoad,  &words::kLocalStore,  &words::kFma,        &words::kHalf,        &words::kTensor,
      &words::kInteger,    &words::kSpecial,     &words::kControl,    &words::kBarrier,     &words::kMbarrier,
      &words::kCopyEngine, &words::kUniform,     &words::kOther};
  return *kNames[int(pipe)];
}

}  // namespace loom::panels
