#include "core/process/serve.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "core/process/message_json.h"

namespace loom::process {

using nlohmann::json;

namespace {

// False when the other side is gone.
bool send(int output, const Frame& frame) {
  const std::string bytes = encode(frame);
  for (std::size_t done = 0; done < bytes.size();) {
    ssize_t n = write(output, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += std::size_t(n);
  }
  return true;
}

std::string textOf(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

Result<Frame> answerTo(const std::string& verb, const Frame& request, const Handler& handler, const Say& say) {
  try {
    auto answer = handler(verb, request, say);
    if (answer) return std::move(*answer);
    return fail("ProtocolError", message("unknown request \"{}\"", verb), Forbids::Environment);
  } catch (const json::exception& e) {
    return fail("ProtocolError", verbatim(e.what()), Forbids::Environment);
  } catch (const std::exception& e) {
    return fail("WorkerError", verbatim(e.what()), Forbids::Environment);
  }
}

}  // namespace

int serve(int input, int output, const Handler& handler) {
  signal(SIGPIPE, SIG_IGN);
  FrameReader reader;
  std::vector<char> chunk(1 << 16);
  for (;;) {
    auto frame = reader.next();
    if (!frame) return 2;
    if (!*frame) {
      ssize_t n = read(input, chunk.data(), chunk.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return 0;
      reader.append(chunk.data(), std::size_t(n));
      continue;
    }
    json request = json::parse((*frame)->text, nullptr, false);
    Result<Frame> answer =
        fail("ProtocolError", message("a request is an object with a key \"do\""), Forbids::Environment);
    if (request.is_object() && request.contains("do") && request["do"].is_string()) {
      const std::string verb = request["do"];
      if (verb == "quit") return 0;
      if (verb == "hello") {
        answer = Frame{textOf({{"protocol", kProtocolVersion}, {"process", int(getpid())}}), ""};
      } else {
        answer = answerTo(verb, **frame, handler, [&](const Message& what) {
          json said = {{"progress", what.english()}};
          if (!what.id().empty()) said["words"] = wordsOf(what);
          (void)send(output, {textOf(said), ""});
        });
      }
    }
    Frame reply;
    if (answer) {
      reply = {"{\"result\":" + answer->text + "}", std::move(answer->blob)};
    } else {
      const Error& e = answer.error();
      json error = {{"code", e.code}, {"message", e.message.english()}};
      if (!e.message.id().empty()) error["words"] = wordsOf(e.message);
      if (e.place.line > 0) error["line"] = e.place.line;
      reply = {textOf({{"error", error}}), ""};
    }
    if (!send(output, reply)) return 0;
  }
}

void endWithClient(int output) {
  std::thread([output] {
    constexpr int kMinute = 60000;
    constexpr short kEnded = POLLERR | POLLHUP | POLLNVAL;
    // Whoever pipes requests into us and waits for the answers has hung up, too: hence the minute.
    pollfd ends[2] = {{output, 0, 0}, {STDIN_FILENO, 0, 0}};
    int watched = 2;
    for (;;) {
      const int ready = poll(ends, nfds_t(watched), watched == 2 ? -1 : kMinute);
      const bool late = ready == 0, gone = ready > 0 && (ends[0].revents & kEnded);
      if (late || gone) _exit(0);
      if (ready > 0 && (ends[1].revents & kEnded)) watched = 1;
    }
  }).detach();
}

}  // namespace loom::process
