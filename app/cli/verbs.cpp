#include <array>

#include "app/cli/verb_list.h"

namespace loom::cli {

std::span<const Verb> verbs() {
  static constexpr std::array kTable = {
      Verb{"screenshots", "Drive the workbench through its panels and write PNG pictures", declareScreenshots},
  };
  return kTable;
}

}  // namespace loom::cli
