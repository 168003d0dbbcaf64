#pragma once

#include <string>
#include <vector>

#include "core/document/kernel.h"

namespace loom::workbench {

/// What a state says and its kernel doesn't do, or does in another way: of a state that is no kernel yet, the
/// annotations that none will follow.
std::vector<device::Remark> unheededIn(const document::KernelText& kernel);

/// By line of a text, the sentences that belong there: of each loop or block the line that names what the sentence
/// quotes (an annotation's key), else the first that is about it. `ids`: by line, as in CodeMeaning.
std::vector<std::vector<std::string>> unheededByLine(const std::vector<device::Remark>& remarks,
                                                     const std::vector<std::string>& lines,
                                                     const std::vector<std::vector<ir::Id>>& ids);

}  // namespace loom::workbench
