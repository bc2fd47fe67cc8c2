// What a run has found so far goes to R now and then, which writes it into a file for another run to
// start from. It does so on the main thread, where the user is asked whether to stop.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "base/tick.h"
#include "border/border.h"
#include "run/snapshot.h"

namespace dualmargin::border {

class Checkpoint {
 public:
  // given: list(seconds, write), `write` a function of the points that signals nothing; NULL: none
  explicit Checkpoint(SEXP given) {
    if (Rf_isNull(given)) return;
    const Rcpp::List list(given);
    seconds_ = Rcpp::as<double>(list["seconds"]);
    write_ = list["write"];
  }
  bool wanted() const { return !Rf_isNull(write_); }

  // points(): those there are, or nothing where none is new
  void watch(std::function<Rcpp::RObject()> points) { points_ = std::move(points); }

  // As often as the user is asked.
  void look() {
    if (!wanted()) return;
    if (std::chrono::duration<double>(Tick::Clock::now() - last_).count() >= seconds_) save();
  }
  void save() {
    if (!wanted() || !points_) return;
    const Rcpp::RObject points = points_();
    if (!points.isNULL()) {
      const Rcpp::RObject call(Rf_lang2(write_, points));
      R_tryEvalSilent(call, R_BaseEnv, nullptr);
    }
    last_ = Tick::Clock::now();
  }
  // Also where f() leaves before its time: because of the user, of R code that it calls, or of a file
  // that cannot be read on.
  template <class F>
  void guard(F f) {
    try {
      f();
    } catch (const Rcpp::internal::InterruptedException&) {
      save();
      throw;
    } catch (const Rcpp::LongjumpException&) {
      save();
      throw;
    } catch (const std::runtime_error&) {
      save();
      throw;
    }
  }

 private:
  double seconds_ = 0;
  Rcpp::RObject write_ = R_NilValue;
  std::function<Rcpp::RObject()> points_;
  Tick::Clock::time_point last_ = Tick::Clock::now();
};

// The snapshots of the class problems of a fit, where a checkpoint is wanted, as long as its run
// takes. leave(k, primal, dual, out): what goes out of a pair, either of which may be empty.
template <class Primal, class Dual>
class Snapshots {
 public:
  using Leave = std::function<void(int k, const Primal&, const Dual&, Fields& out)>;

  Snapshots(Checkpoint& checkpoint, int classes, Leave leave)
      : checkpoint_(checkpoint),
        each_(checkpoint.wanted() ? classes : 0),
        leave_(std::move(leave)) {
    checkpoint_.watch([this] { return points(); });
  }
  ~Snapshots() { checkpoint_.watch(nullptr); }
  Snapshots(const Snapshots&) = delete;

  Snapshot<Primal, Dual>* of(Index k) {
    return each_.empty() ? nullptr : &each_[static_cast<std::size_t>(k)];
  }

 private:
  Rcpp::RObject points() {
    Rcpp::List all(each_.size());
    bool news = false;
    for (std::size_t k = 0; k < each_.size(); ++k) {
      Fields fields;
      const bool newer = each_[k].read([&](const Incumbent<Primal, Dual>& best) {
        if (!std::isfinite(best.value())) return;
        leave_(static_cast<int>(k), best.primal(), best.dual(), fields);
        fields.add("value", best.value());
        fields.add("bound", best.bound());
      });
      news = news || newer;
      all[k] = as_list(fields);
    }
    return news ? Rcpp::RObject(all) : Rcpp::RObject(R_NilValue);
  }

  Checkpoint& checkpoint_;
  std::vector<Snapshot<Primal, Dual>> each_;
  Leave leave_;
};

}  // namespace dualmargin::border
