#include "core/notebook/intrinsic_file_text.h"

#include <fmt/format.h>

#include "core/intrin/execution.h"
#include "core/script/literal.h"
#include "core/script/printer.h"

namespace loom::notebook {

// What is printed of a module, without the module.
std::string functionText(const ir::Function& function, const std::string& name) {
  auto copy = std::make_shared<ir::FunctionNode>(*function);
  copy->name = name;
  copy->attrs.erase("global_symbol");
  const std::string text = script::print(ir::Module{{copy}, {}}).text;
  std::string out;
  bool inside = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (inside) out += line.substr(std::min<std::size_t>(line.size(), 4)) + "\n";
    inside = inside || line.starts_with("class ");
    begin = end + 1;
  }
  return out;
}

std::string intrinsicFileText(const RegisteredIntrinsic& i) {
  const ir::CallNode* operation = intrin::groupOperation(i.implementation->body);
  const auto group = operation ? *intrin::groupOf(operation->op) : intrin::ExecutionGroup::Thread;
  return fmt::format("EXECUTION = \"{}\"\nINTRINSICS = {{{}: {{}}}}\n\n\n{}\n\n{}", intrin::nameOf(group),
                     script::stringLiteral(i.name), functionText(i.description, "desc"),
                     functionText(i.implementation, "impl"));
}

}  // namespace loom::notebook
