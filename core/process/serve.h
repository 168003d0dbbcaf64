// The answering side of `Child`.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "core/process/frame.h"

namespace loom::process {

// Something to show while a request is worked on; it also shows that the process is alive.
using Say = std::function<void(const Message&)>;
// Answers the request for `verb` with JSON and bytes, or an error; nothing when it doesn't know the verb. Exceptions
// become errors: "ProtocolError" for those of JSON (a request that lacks something), else "WorkerError".
using Handler =
    std::function<std::optional<Result<Frame>>(const std::string& verb, const Frame& request, const Say& say)>;

// Answers requests from `input` on `output` (file descriptors) until the input ends, the reader of the output is gone,
// or a {"do": "quit"}. Gives the process's exit status: 0, or 2 after what was no frame.
int serve(int input, int output, const Handler& handler);

// Makes this process end as soon as nobody can read its output any more, and a minute after its standard input was
// closed (which is all that srun shows), wherever it then is, in a kernel or in a compiler, too. So a client that is
// killed leaves no process behind.
void endWithClient(int output);

}  // namespace loom::process
