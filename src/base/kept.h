// A value that is found when it is first asked for, by whichever thread asks, and kept.
#pragma once

#include <atomic>
#include <mutex>

namespace dualmargin {

template <class T>
class Kept {
 public:
  // make() gives the value; what it throws leaves nothing behind.
  template <class Make>
  const T& get(Make make) {
    if (!found_.load(std::memory_order_acquire)) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!found_.load(std::memory_order_relaxed)) {
        value_ = make();
        found_.store(true, std::memory_order_release);
      }
    }
    return value_;
  }

 private:
  std::atomic<bool> found_{false};
  std::mutex mutex_;
  T value_{};
};

}  // namespace dualmargin
