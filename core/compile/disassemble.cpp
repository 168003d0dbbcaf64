#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/compile/compile.h"
#include "core/compile/constant_banks.h"
#include "core/compile/source_name.h"
#include "core/process/child.h"

namespace loom::compile {

Result<std::string> disassemble(const Toolkit& toolkit, const Binary& binary, bool encodings) {
  if (!toolkit.nvdisasm)
    return fail("NoNvdisasm", message("nvdisasm isn't found: SASS can't be shown"), Forbids::Environment);
  std::string path = (std::filesystem::temp_directory_path() / "tileloom-XXXXXX").string();
  int file = mkstemp(path.data());
  if (file < 0) return fail("CantWrite", message("no temporary file for nvdisasm"), Forbids::Environment);
  std::size_t done = 0;
  while (done < binary.cubin.size()) {
    ssize_t n = write(file, binary.cubin.data() + done, binary.cubin.size() - done);
    if (n <= 0) break;
    done += std::size_t(n);
  }
  close(file);
  std::vector<std::string> command = {toolkit.nvdisasm->string(), "--print-line-info-inline", "--print-code"};
  if (encodings) command.emplace_back("--print-instruction-encoding");
  command.push_back(path);
  auto text = done == binary.cubin.size() ? process::outputOf(command, 60) : std::nullopt;
  unlink(path.c_str());
  if (!text) return fail("CompileError", message("nvdisasm can't read the cubin"), Forbids::Environment);
  return withSourceAlone(std::move(*text)) + constantBanks(binary.cubin);
}

}  // namespace loom::compile
