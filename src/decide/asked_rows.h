// Rows that are asked about, however they are stored: in the coordinates of the rows of the fit.
#pragma once

#include <memory>
#include <utility>

#include "region/region.h"

namespace dualmargin::decide {

class AskedRows {
 public:
  virtual ~AskedRows() = default;
  virtual Index n() const = 0;
  virtual Vec row(Index i) const = 0;
  virtual region::Ends intervals(const region::Region& region, Tick& tick) const = 0;
  // x'w + b, and what rounding can have done to it
  virtual std::pair<RowVec, RowVec> scores(const Vec& w, double b, Tick& tick) const = 0;

  // stored: must outlive this
  static std::unique_ptr<AskedRows> of(const region::StoredRows& stored, Team& team);
};

template <class Data>
class AskedOf final : public AskedRows {
 public:
  AskedOf(const Data& data, const region::StoredRows& stored, Team& team)
      : data_(data),
        none_(RowVec::Zero(stored.n())),
        rows_(data_, none_, none_, team),
        moved_(rows_, stored) {}

  Index n() const override { return rows_.n(); }
  Vec row(Index i) const override { return moved_.row(i); }
  region::Ends intervals(const region::Region& region, Tick& tick) const override {
    return region::intervals(region, moved_, tick);
  }
  std::pair<RowVec, RowVec> scores(const Vec& w, double b, Tick& tick) const override {
    return {RowVec(moved_.multiply(w, tick) + b), moved_.roundings(w, b, tick)};
  }

 private:
  const Data data_;
  const RowVec none_;
  const TypedRows<Data> rows_;
  const region::MovedRows<Data> moved_;
};

inline std::unique_ptr<AskedRows> AskedRows::of(const region::StoredRows& stored, Team& team) {
  return stored.visit([&](const auto& data) -> std::unique_ptr<AskedRows> {
    return std::make_unique<AskedOf<std::decay_t<decltype(data)>>>(data, stored, team);
  });
}

}  // namespace dualmargin::decide
