// A value that is found when it is first asked for, by whichever thread asks, and kept.
#pragma once

#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

#include "base/function_ref.h"
#include "base/tick.h"

namespace dualmargin {

template <class T>
class Kept {
 public:
  // make() gives the value; what it throws leaves nothing behind.
  const T& get(FunctionRef<T()> make) {
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

// The same of a value that is of no use once the time is over: it is then not kept.
template <class T>
class KeptInTime {
 public:
  std::shared_ptr<const T> get(FunctionRef<T()> make, Tick& tick) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (value_) return value_;
    auto made = std::make_shared<const T>(make());
    if (tick.in_time()) value_ = made;
    return made;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

// What an object keeps without a lock belongs to the thread that asks first.
class OneThread {
 public:
  OneThread() = default;
  OneThread(const OneThread&) {}
  OneThread& operator=(const OneThread&) { return *this; }

  void assert_own() const {
    if (owner_ == std::thread::id()) owner_ = std::this_thread::get_id();
    assert(owner_ == std::this_thread::get_id());
  }

 private:
  mutable std::thread::id owner_;
};

}  // namespace dualmargin
