#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "app/session/background_value.h"
#include "app/session/session.h"
#include "app/ui/look.h"

namespace loom::window {

/// The dialog for a new program: a matrix product of any types, or a function of the assets with its sizes. Keeps what
/// was chosen and typed until the next time.
class NewProgram {
 public:
  /// Draws the dialog if its popup "###newmatmul" is open. `closing` closes it as Cancel does. Returns true if a
  /// program was chosen that is to be made fast once it is open.
  bool draw(const Look& look, session::Session& model, bool closing);

 private:
  /// What a part of the dialog offers: whether the program can be made, whether Enter was pressed in a field, and the
  /// program's text.
  struct Offer {
    bool makes = false, entered = false;
    std::string text = {};
  };
  /// What rules make of a program.
  struct Ruled {
    std::string text;              ///< of the program
    std::string sketch;            ///< name of what is usually the fastest; empty: `problem`
    std::optional<Error> problem;  ///< why no rule fits
    Message notByWarpgroups{};     ///< on a device that has them: why not; else empty
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
  std::map<std::string, std::map<std::string, std::string>> typed_;  // by function and size
  session::BackgroundValue<Ruled> askedRules_;
  std::string askedFor_;          // text of the program that rules were asked about
  std::optional<Ruled> ruled_;    // of some program that was chosen
  document::FunctionSizes read_;  // of the chosen function, where all can be read
};

}  // namespace loom::window
