#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/text/text.h"

namespace loom::text {

/// A sentence of the core and how it reads in Chinese. `{}` stands for a name or a number; Chinese may say them in
/// another order, `{0}`, `{1}`.
struct Message {
  const char* english;
  const char* chinese;
};

/// What the core says of programs, files and machines. What TVM's parser and the compiler say stays as they say it.
std::span<const Message> messages();

/// A message of the core in a language. One that the table does not have stays as it is.
std::string messageIn(Language language, const std::string& message);

}  // namespace loom::text
