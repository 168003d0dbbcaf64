#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "app/session/background_value.h"
#include "app/session/session.h"
#include "app/ui/look.h"

namespace loom::window {

/// The dialog for a new program: a matrix product of any types, or a function that comes with Tileloom, with its sizes.
/// The object keeps what was chosen and typed until the dialog is opened the next time.
class NewProgram {
 public:
  /// Draws the dialog if its popup "###newmatmul" is open, which the caller opens (ImGui::OpenPopup) in the same id
  /// stack; to be called once a frame. `closing` closes it as Cancel does. Creating a program starts opening it;
  /// Documents::openProblem says why it could not be opened. Returns true, in the frame in which the program is
  /// created, if the user wants a schedule that rules construct ("Make it fast") for it once it is open.
  bool draw(const Look& look, session::Session& model, bool closing);

 private:
  /// What a part of the dialog returns: whether the program can be made, whether Enter was pressed in a field, and the
  /// program's text (empty if it can't be made).
  struct Offer {
    bool makes = false, entered = false;
    std::string text = {};
  };
  /// The result of evaluating the rules for a program.
  struct Ruled {
    std::string text;              ///< the program's text
    std::string sketch;            ///< name of the sketch that is usually the fastest; empty: `problem` says why
    std::optional<Error> problem;  ///< why no rule fits
    Message notByWarpgroups{};     ///< on a device with warpgroup instructions, why no rule uses them; else empty
  };
  void followRules(const session::Session& model, const std::string& text);
  void create(session::Session& model, const document::ReadyFunction* function);
  void drawChoice(const Look& look, const session::Session& model);
  Offer drawMatmul(const Look& look);
  Offer drawFunction(const Look& look, const document::ReadyFunction& function);
  const document::ReadyFunction* chosen(const session::Session& model) const;

  std::string chosen_;  // name of a function of the assets; empty: the matrix product
  document::MatmulRequest matmul_;
  std::array<std::string, 3> sizes_ = {"1024", "1024", "1024"};      // M, N, K as typed
  std::map<std::string, std::map<std::string, std::string>> typed_;  // sizes as typed, by names of function and size
  session::BackgroundValue<Ruled> askedRules_;
  std::string askedFor_;          // text of the program that the rules were last evaluated for
  std::optional<Ruled> ruled_;    // the latest result of the rules; `text` says for which program
  document::FunctionSizes read_;  // sizes of the chosen function, if all of them can be read
};

}  // namespace loom::window
