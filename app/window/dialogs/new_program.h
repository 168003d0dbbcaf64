#pragma once

#include <array>
#include <map>
#include <string>

#include "app/session/session.h"
#include "app/ui/look.h"

namespace loom::window {

/// The dialog for a new program: a matrix product of any types, or a function of the assets with its sizes. Keeps what
/// was chosen and typed until the next time.
class NewProgram {
 public:
  /// Draws the dialog if its popup "###newmatmul" is open. `closing` closes it as Cancel does.
  void draw(const Look& look, session::Session& model, bool closing);

 private:
  /// What a part of the dialog offers: whether the program can be made, and whether Enter was pressed in a field.
  struct Offer {
    bool makes = false, entered = false;
  };
  void drawChoice(const Look& look, const session::Session& model);
  Offer drawMatmul(const Look& look);
  Offer drawFunction(const Look& look, const document::ReadyFunction& function);
  const document::ReadyFunction* chosen(const session::Session& model) const;

  std::string chosen_;  // name of a function of the assets; empty: the matrix product
  document::MatmulRequest matmul_;
  std::array<std::string, 3> sizes_ = {"1024", "1024", "1024"};      // M, N, K as typed
  std::map<std::string, std::map<std::string, std::string>> typed_;  // by function and size
  document::FunctionSizes read_;                                     // of the chosen function, where all can be read
};

}  // namespace loom::window
