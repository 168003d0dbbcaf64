#include "app/session/shown_model.h"

namespace loom::session {

void ShownModel::follow(const Session& bench, ModelBasis depth, bool held) {
  if (opened_ != bench.opened()) {
    *this = {};
    opened_ = bench.opened();
  }
  const int now = bench.navigation().current();
  if (!(held && model_ && node_ == now)) {
    if (auto model = bench.preview().shownModel(depth)) {
      model_ = std::move(model);
      node_ = now;
      final_ = bench.preview().shownIsFinal();
    }
  }
  current_ = model_ != nullptr && node_ == now;
}

}  // namespace loom::session
