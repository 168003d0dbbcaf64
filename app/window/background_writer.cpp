#include "app/window/background_writer.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace loom::window {

Message writeWhole(const std::filesystem::path& path, const std::string& bytes) {
  std::error_code error;
  if (path.has_parent_path()) {
    std::filesystem::create_directories(path.parent_path(), error);
  }
  const std::filesystem::path temporary = path.string() + ".tmp";
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) {
    return systemMessage(errno);
  }
  // A full disk may show only when the buffer is flushed, so closing counts too.
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) {
    Message reason = systemMessage(errno);
    std::filesystem::remove(temporary, error);
    return reason;
  }
  std::filesystem::rename(temporary, path, error);
  if (!error) return {};
  Message reason = systemMessage(error.value());
  std::filesystem::remove(temporary, error);
  return reason;
}

BackgroundWriter::BackgroundWriter(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { work(); }) {}

BackgroundWriter::~BackgroundWriter() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void BackgroundWriter::write(std::filesystem::path path, std::function<std::string()> makeBytes) {
  {
    std::lock_guard lock(mutex_);
    orders_.push_back({std::move(path), std::move(makeBytes)});
  }
  changed_.notify_one();
}

void BackgroundWriter::write(std::filesystem::path path, std::string bytes) {
  write(std::move(path), [bytes = std::move(bytes)] { return bytes; });
}

std::optional<BackgroundWriter::Outcome> BackgroundWriter::takeOutcome() {
  std::lock_guard lock(mutex_);
  if (outcomes_.empty()) {
    return std::nullopt;
  }
  Outcome outcome = std::move(outcomes_.front());
  outcomes_.pop_front();
  return outcome;
}

void BackgroundWriter::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !orders_.empty(); });
    if (orders_.empty()) {
      return;
    }
    Order order = std::move(orders_.front());
    orders_.pop_front();
    lock.unlock();
    Message error = writeWhole(order.path, order.makeBytes());
    lock.lock();
    outcomes_.push_back({std::move(order.path), std::move(error)});
    if (!ending_) {
      lock.unlock();  // what it wakes may ask for the outcome at once
      wake_();
      lock.lock();
    }
  }
}

}  // namespace loom::window
