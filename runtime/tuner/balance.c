/*===- balance.c - What a loop may still lose -----------------------------===*/

#include "tuner/balance.h"

/* The share of its time that a loop may lose, and what it may lose at once:
 * together, less than two percent of 20 ms. */
static const double Share = 0.008;
enum { Allowance = 150 };

/* Bounds of the accounts and of the time between two comparisons, in
 * microseconds. */
enum {
  LeastCheck = 1000,
  MostCheck = 100000,
  MostSaved = 1000000,
  MostOwed = 50000
};

static double within(double value, double least, double most) {
  return value < least ? least : value > most ? most : value;
}

static double microseconds(const struct heddle_balance *balance, double count) {
  return count * balance->ticks_per_microsecond;
}

static void add(struct heddle_balance *balance, double ticks) {
  balance->ticks =
      within(balance->ticks + ticks, -microseconds(balance, MostOwed),
             microseconds(balance, MostSaved));
}

void heddle_balance_start(struct heddle_balance *balance, bool kept,
                          double ticks_per_microsecond) {
  *balance = (struct heddle_balance){
      .kept = kept, .ticks_per_microsecond = ticks_per_microsecond};
  balance->ticks = microseconds(balance, Allowance);
}

void heddle_balance_add_serial(struct heddle_balance *balance, double ticks) {
  add(balance, Share * ticks);
}

void heddle_balance_add_compared(struct heddle_balance *balance, double ticks,
                                 double serial) {
  add(balance, (1 + Share) * serial - ticks);
}

void heddle_balance_set_stake(struct heddle_balance *balance, double ticks) {
  balance->stake = ticks > 0 ? ticks : 0;
}

void heddle_balance_lose_stake(struct heddle_balance *balance) {
  add(balance, -balance->stake);
  balance->stake = 0;
}

void heddle_balance_add_loss(struct heddle_balance *balance, double ticks) {
  add(balance, -ticks);
}

void heddle_balance_check(struct heddle_balance *balance, double ratio) {
  heddle_balance_add_compared(balance, balance->unchecked,
                              ratio * balance->unchecked);
  balance->unchecked = 0;
}

double heddle_balance_check_after(const struct heddle_balance *balance) {
  return within(balance->ticks / 2, microseconds(balance, LeastCheck),
                microseconds(balance, MostCheck));
}

bool heddle_balance_affords(const struct heddle_balance *balance,
                            double ticks) {
  return !balance->kept || ticks <= balance->ticks - balance->stake;
}

bool heddle_balance_presses(const struct heddle_balance *balance) {
  return balance->ticks < microseconds(balance, Allowance) / 3;
}

double heddle_balance_earned_after(const struct heddle_balance *balance,
                                   double ticks) {
  double lacking = ticks + balance->stake - balance->ticks;
  return lacking > 0 ? lacking / Share : 0;
}
