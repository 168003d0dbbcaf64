// The messages between two processes: frames of JSON and bytes over a pair of pipes. A frame in the stream is
//
//     "TLF2 <bytes of JSON> <bytes of blob>\n" JSON blob
//
// Requests: {"do": "hello"}, whose result is {"protocol": kProtocolVersion, "process": the worker's process id}; {"do":
// "quit"}, which ends the worker and has no answer; and those of whoever serves. Answers: any number of {"progress":
// "…"}, then one {"result": …} with its bytes in the blob, or {"error": {"code", "message", "line"}}, where "line" is
// missing if the error has none; beside "progress" and "message" stands "words", what says them in other languages
// (message_json.h), if that is known. Sizes are decimal.
#pragma once
#include <optional>
#include <string>

#include "core/ir/result.h"

namespace loom::process {

inline constexpr int kProtocolVersion = 2;

// A message between processes: JSON, and bytes that belong to it.
struct Frame {
  std::string text;  // JSON
  std::string blob;
};

// Returns the bytes of a frame in the stream.
std::string encode(const Frame& frame);

// Reads frames out of a stream of bytes as they arrive.
class FrameReader {
 public:
  // Adds bytes that have arrived.
  void append(const char* data, std::size_t size) { bytes_.append(data, size); }
  // Returns the next whole frame; nothing if more bytes are needed. Error "ProtocolError" for bytes that can't be a
  // frame, sizes over 1 GiB among them, and for JSON that is nested more than 100 deep. After an error the stream is of
  // no further use.
  Result<std::optional<Frame>> next();

 private:
  std::string bytes_;
};

}  // namespace loom::process
