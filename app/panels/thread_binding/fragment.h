#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/fragment.h"
#include "app/session/known_fragment.h"

namespace loom::panels {

/// What was clicked in the picture of a fragment in this frame.
struct FragmentClick {
  std::optional<int> lane;
  std::optional<std::int64_t> warp;  ///< of the block
};

/// Which lane holds which element of a tensor core tile: the statement's own layout, one of the PTX ISA's tables, or
/// another fragment of wmma, on the device that the model answers for.
class FragmentPart {
 public:
  /// Draws a view with a fragment, `width` px wide. `thread` is the chosen thread of the block. `current` says whether
  /// the view is of the state that the model is of.
  FragmentClick draw(PanelContext& context, const session::BindingView& view, int thread, float width, bool current);

 private:
  bool isOfWarpgroup() const;
  void drawChoice(const PanelContext& context, float width);
  void follow(const PanelContext& context, const session::BindingView& view, int warp);
  std::optional<std::int64_t> drawWarps(const PanelContext& context, const session::BindingView& view, int warp,
                                        float width) const;
  std::optional<int> drawMatrices(const PanelContext& context, int lane, float width) const;
  void drawWords(const PanelContext& context, int lane) const;
  void drawMachineCode(const PanelContext& context) const;
  const session::PtxFragment* ptx() const;
  const model::FragmentKind& wmma(const session::BindingView& view) const;

  int table_ = -1;           // of session::ptxFragments(), then wmmaFragments(); −1: the statement's own layout
  bool byRegister_ = false;  // a cell's number is its register's, not its lane's
  // What is shown, and of what it was made.
  int of_ = -2, ofWarp_ = -1;
  std::shared_ptr<const session::FragmentLayout> known_;  // null for a table, and until it is there
  std::optional<Result<session::FragmentPicture>> picture_;
};

}  // namespace loom::panels
