#include "app/session/shown_model.h"

namespace loom::session {

void ShownModel::follow(const Session& session, ModelBasis basis, bool held) {
  if (opened_ != session.opened()) {
    *this = {};
    opened_ = session.opened();
  }
  const int now = session.navigation().current();
  if (!(held && model_ && node_ == now)) {
    if (auto model = session.preview().shownModel(basis)) {
      model_ = std::move(model);
      node_ = now;
      final_ = session.preview().shownIsFinal();
    }
  }
  current_ = model_ != nullptr && node_ == now;
}

}  // namespace loom::session
