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
  std::optional<int> lane;           ///< 0 to 31
  std::optional<std::int64_t> warp;  ///< index of the warp in the block
};

/// The part of the panel Thread binding that draws which lane holds which element of a tensor core tile: by the layout
/// of the statement itself, by a table of the PTX ISA, or by another wmma fragment on the device of the model.
class FragmentPart {
 public:
  /// Draws the part for a view that has a fragment, `width` px wide, and returns what was clicked. `thread` is the
  /// index of the chosen thread in the block. `current` says whether the view is of the current state.
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
  // Returns the table of the PTX ISA that is shown; null: another layout is.
  const session::PtxFragment* ptx() const;
  const model::FragmentKind& wmma(const session::BindingView& view) const;

  int table_ = -1;  // index in session::ptxFragments(), continued by wmmaFragments(); −1: the statement's own layout
  bool byRegister_ = false;  // whether a cell has the number of its register; otherwise that of its lane
  // The picture shown, and the table and warp that it was made for.
  int of_ = -2, ofWarp_ = -1;
  // The layout of the statement's own fragment; null: not known yet, or a table is shown.
  std::shared_ptr<const session::FragmentLayout> known_;
  std::optional<Result<session::FragmentPicture>> picture_;
};

}  // namespace loom::panels
