#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/fragment.h"
#include "app/session/known_fragment.h"

namespace loom::panels {

/// Which lane holds which element of a tensor core tile: the statement's own layout, one of the PTX ISA's tables, or
/// another fragment of wmma, on the device that the model answers for.
class FragmentPart {
 public:
  /// To be drawn for a view with a fragment, into the room `width`. Returns a clicked lane. `current`: it is of the
  /// state that the model is of.
  std::optional<int> draw(PanelContext& context, const session::BindingView& view, int lane, float width,
                          bool current);

 private:
  void drawChoice(const PanelContext& context, float width);
  void follow(const PanelContext& context, const session::BindingView& view);
  std::optional<int> drawMatrices(const PanelContext& context, int lane, float width) const;
  void drawWords(const PanelContext& context, int lane) const;
  void drawMachineCode(const PanelContext& context) const;
  const session::PtxFragment* ptx() const;
  const model::FragmentKind& wmma(const session::BindingView& view) const;

  int table_ = -1;           // of session::ptxFragments(), then wmmaFragments(); −1: the statement's own layout
  bool byRegister_ = false;  // a cell's number is its register's, not its lane's
  // What is shown, and of what it was made.
  int of_ = -2;
  std::shared_ptr<const session::FragmentLayout> known_;  // null for a table, and until it is there
  std::optional<Result<session::FragmentPicture>> picture_;
};

}  // namespace loom::panels
