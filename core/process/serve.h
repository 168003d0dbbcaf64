// The side of a worker process: answers requests that the program sends through `Child` (child.h).
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "core/process/frame.h"

namespace loom::process {

// Sends a progress message while a request is worked on, which also shows that the process is alive. Only the handler's
// thread may call it, and only until the handler returns.
using Say = std::function<void(const Message&)>;
// Returns the answer to a request whose "do" is `verb`, or an error; nothing if the verb is unknown, which is answered
// by the error "ProtocolError". The text of the answer's frame is the JSON of "result". An exception becomes an error:
// "ProtocolError" for one of JSON (the request lacks something), else "WorkerError".
using Handler =
    std::function<std::optional<Result<Frame>>(const std::string& verb, const Frame& request, const Say& say)>;

// Answers requests from `input` on `output` (file descriptors) until the input ends, the reader of the output is gone,
// or the request {"do": "quit"} comes. {"do": "hello"} is answered here, with {"protocol": kProtocolVersion, "process":
// the process's id}; any other request by `handler`. Returns the exit status of the process: 0, or 2 after bytes that
// were no frame.
int serve(int input, int output, const Handler& handler);

// Starts a thread that ends this process as soon as nobody can read from the file descriptor `output` any more, and a
// minute after its standard input was closed, which is the only sign of a client's end under srun. The process ends
// even inside a kernel or a compiler, so that a client that is killed leaves no process behind.
void endWithClient(int output);

}  // namespace loom::process
