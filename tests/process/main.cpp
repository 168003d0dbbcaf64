// The tests, or, as `test_process child MODE`, a process that misbehaves in the way named.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/process/serve.h"

using loom::Failure;
using loom::process::Frame;

namespace {

std::optional<loom::Result<Frame>> answer(const std::string& verb, const Frame& request,
                                          const loom::process::Say& say) {
  if (verb == "echo") return Frame{nlohmann::json{{"size", request.blob.size()}}.dump(), request.blob};
  if (verb == "hang") {
    say("about to hang");
    for (;;) pause();
  }
  if (verb == "die") {
    say("about to die");
    std::abort();
  }
  if (verb == "leave") _exit(3);
  if (verb == "throw") throw std::runtime_error("out of paper");
  if (verb == "lack") return Frame{nlohmann::json::parse(request.text).at("missing").dump(), ""};
  if (verb == "refuse") {
    auto failure = loom::fail("CompileError", loom::verbatim("no"));
    failure.value().place.line = 7;
    return Failure(failure);
  }
  return std::nullopt;
}

void print(const std::string& text) { (void)!write(STDOUT_FILENO, text.data(), text.size()); }

int child(const std::string& mode) {
  const std::string hello = R"({"result":{"protocol":2}})";
  if (mode == "serve") {
    loom::process::endWithClient(STDOUT_FILENO);
    return loom::process::serve(STDIN_FILENO, STDOUT_FILENO, answer);
  }
  if (mode == "garbage") print("Welcome to the machine! Your quota is 80 % used.\n");
  if (mode == "noise") print(std::string(100000, 'x'));
  if (mode == "huge") print("TLF2 99999999999999 0\n");
  if (mode == "truncated") print("TLF2 25 0\n{\"result\"");
  if (mode == "no_json") print(loom::process::encode({"hello there", ""}));
  if (mode == "says_nothing") print(loom::process::encode({"{}", ""}));
  if (mode == "other_version") print(loom::process::encode({R"({"result":{"protocol":99}})", ""}));
  if (mode == "refuses_hello") print(loom::process::encode({R"({"error":{"code":"Busy","message":"not today"}})", ""}));
  if (mode == "garbage_later") {
    print(loom::process::encode({hello, ""}));
    usleep(100000);
    print("kernel panic\n");
  }
  if (mode == "mute") pause();
  if (mode != "truncated" && mode != "noise") sleep(20);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "child") return child(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
