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

/// The part of the panel Thread binding that draws a fragment: which lane of a warp holds which element of a tensor
/// core tile in which register. The user chooses its layout: that of the fragment in the shown statement, a table of
/// the PTX ISA, or another wmma fragment as it is on the chosen device.
class FragmentPart {
 public:
  /// Draws the part for a view that has a fragment, `width` px wide, and returns what was clicked. `thread` is the
  /// index of the chosen thread in the block. `current` says whether the view is of the current state; only then the
  /// tensor core instructions of its machine code are named. While the layout isn't known, and if it can't be, draws a
  /// sentence that says so.
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
  // Returns the fragment of wmma or of a warpgroup whose layout is shown; null: a table of the PTX ISA is.
  const model::FragmentKind* wmma(const session::BindingView& view) const;

  int table_ = -1;  // index in session::ptxFragments(), continued by wmmaFragments(); −1: the statement's own layout
  bool byRegister_ = false;    // whether a cell has the number of its register; otherwise that of its lane
  int of_ = -2, ofWarp_ = -1;  // `table_` and the warp when `picture_` was made; −2 and −1: never
  // The layout of the fragment shown; null: not known yet, or a table of the PTX ISA is shown.
  std::shared_ptr<const session::FragmentLayout> known_;
  std::optional<Result<session::FragmentPicture>> picture_;  // the picture shown; nothing: the layout isn't known yet
};

}  // namespace loom::panels
