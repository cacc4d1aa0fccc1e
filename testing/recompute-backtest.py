#!/usr/bin/env python3
"""Recomputes the figures of a backtest from the CSV files that `beleg backtest --out DIR` wrote, and from nothing else.

It shares no code with the service and needs Python's standard library only. It prints what it comes to as JSON:

    python3 testing/recompute-backtest.py DIR --cash 100000 --per-year 252 --slippage-percent 0.05
"""

import argparse
import csv
import datetime
import json
import math
import statistics
from fractions import Fraction
from pathlib import Path


def rows(folder, name):
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def day(text):
    return datetime.date.fromisoformat(text)


def by_session(table):
    found = {}
    for row in table:
        found.setdefault(row["session"], []).append(row)
    return found


def equity_from(folder, cash):
    """Cash by fills, dividends and flows, positions by the weights of each close: value, gross and net of each close."""
    fills, weights = by_session(rows(folder, "fills")), by_session(rows(folder, "weights"))
    money, paid = Fraction(cash), {}
    for name, column, sign in [
        ("dividends", "amount", 1),
        ("settlements", "amount", 1),
        ("splits", "cash_in_lieu", 1),
        ("borrowing", "amount", -1),
    ]:
        for row in rows(folder, name):
            paid[row["session"]] = paid.get(row["session"], 0) + sign * Fraction(row[column])
    points = []
    for row in rows(folder, "equity"):
        session = row["session"]
        money += Fraction(row["flow"])
        for fill in fills.get(session, []):
            sign = -1 if fill["action"] == "buy" else 1
            money += sign * Fraction(fill["quantity"]) * Fraction(fill["price"]) - Fraction(fill["fee"])
        money += paid.get(session, 0)
        values = [Fraction(one["quantity"]) * Fraction(one["price"]) for one in weights.get(session, [])]
        worth = money + sum(values)
        points.append(
            {
                "session": session,
                "value": float(worth),
                "flow": float(row["flow"]),
                "gross": float(sum(abs(value) for value in values) / worth),
                "net": float(sum(values) / worth),
                "positions": len(values),
            }
        )
    return points


def ratios(returns, per_year, days, risk_free):
    rate = (1 + risk_free / 100) ** (1 / per_year) - 1
    mean, yearly = statistics.fmean(returns), math.sqrt(per_year)
    deviation = statistics.stdev(returns)
    downside = math.sqrt(statistics.fmean([min(0, value - rate) ** 2 for value in returns])) * yearly
    value, high, deepest = 1.0, 1.0, 0.0
    for change in returns:
        value *= 1 + change
        high = max(high, value)
        deepest = min(deepest, value / high - 1)
    annual = value ** (365.25 / days) - 1 if days >= 330 else None
    # What is smaller is no change, but what floats leave of a sum.
    moved = [change for change in returns if abs(change) > 1e-12]
    return {
        "totalReturn": value - 1,
        "annualReturn": annual,
        "annualVolatility": deviation * yearly,
        "sharpe": (mean - rate) / deviation * yearly,
        "downsideRisk": downside,
        "sortino": (mean - rate) * per_year / downside,
        "maxDrawdown": deepest,
        "calmar": None if annual is None else annual / -deepest,
        "winRate": sum(change > 0 for change in moved) / len(moved),
        "best": max(returns),
        "worst": min(returns),
    }


def against(returns, other, per_year, risk_free):
    rate = (1 + risk_free / 100) ** (1 / per_year) - 1
    beta = statistics.covariance(returns, other) / statistics.variance(other)
    excess = statistics.fmean(returns) - rate - beta * (statistics.fmean(other) - rate)
    active = [own - theirs for own, theirs in zip(returns, other)]
    deviation, yearly = statistics.stdev(active), math.sqrt(per_year)
    return {
        "beta": beta,
        "alpha": (1 + excess) ** per_year - 1,
        "correlation": statistics.correlation(returns, other),
        "trackingError": deviation * yearly,
        "informationRatio": statistics.fmean(active) / deviation * yearly,
    }


class Lots:
    """The oldest lot first. A lot's fee goes to the first trade that closes a part of it."""

    def __init__(self):
        self.lots, self.trades = [], []

    def close(self, quantity, value, fee, session):
        """Closes up to so many shares for `value`; returns how many are left."""
        left = quantity
        while left > 0 and self.lots:
            lot = self.lots[0]
            part = min(left, lot["quantity"])
            cost = lot["value"] * part / lot["quantity"]
            profit = (value * part / quantity - cost) * lot["sign"] - lot["fee"] - fee
            self.trades.append((lot["opened"], session, profit))
            lot["quantity"] -= part
            lot["value"] -= cost
            lot["fee"] = fee = Fraction(0)
            left -= part
            if lot["quantity"] == 0:
                self.lots.pop(0)
        return left

    def fill(self, sign, quantity, price, fee, session):
        left = quantity
        if self.lots and self.lots[0]["sign"] != sign:
            left = self.close(quantity, quantity * price, fee, session)
        if left > 0:
            own = fee if left == quantity else Fraction(0)
            lot = {"sign": sign, "quantity": left, "value": left * price, "fee": own, "opened": session}
            self.lots.append(lot)

    def split(self, ratio, kept, cash, session):
        for lot in self.lots:
            lot["quantity"] *= ratio
        fraction = sum(lot["quantity"] for lot in self.lots) - abs(kept)
        if fraction > 0:
            self.close(fraction, abs(cash), Fraction(0), session)


def closed_trades(folder):
    """(ticker, opened, closed, profit after fees) of each closed trade, the oldest lot first."""
    events = [(row["session"], 0, "split", row) for row in rows(folder, "splits")]
    events += [(row["session"], 1, "settlement", row) for row in rows(folder, "settlements")]
    events += [(row["session"], 2, "fill", row) for row in rows(folder, "fills")]
    events.sort(key=lambda event: event[:2])
    books = {}
    for session, _, kind, row in events:
        lots = books.setdefault(row["ticker"], Lots())
        quantity = Fraction(row["quantity"])
        if kind == "split":
            lots.split(Fraction(row["ratio"]), quantity, Fraction(row["cash_in_lieu"]), session)
        elif kind == "settlement":
            lots.close(abs(quantity), abs(quantity) * Fraction(row["price"]), Fraction(0), session)
        else:
            sign = 1 if row["action"] == "buy" else -1
            lots.fill(sign, quantity, Fraction(row["price"]), Fraction(row["fee"]), session)
    return [(ticker, *trade) for ticker, lots in books.items() for trade in lots.trades]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cash", required=True)
    parser.add_argument("--per-year", type=float, required=True)
    parser.add_argument("--risk-free-percent", type=float, default=0)
    parser.add_argument("--slippage-percent", type=float, required=True)
    options = parser.parse_args()
    folder, per_year, risk_free = options.folder, options.per_year, options.risk_free_percent

    points = equity_from(folder, options.cash)
    values = [float(options.cash)] + [point["value"] for point in points]
    returns = [
        value / (before + point["flow"]) - 1 for before, value, point in zip(values, values[1:], points)
    ]
    days = (day(points[-1]["session"]) - day(points[0]["session"])).days
    table = rows(folder, "equity")
    other = [float(options.cash)] + [float(row["benchmark"]) for row in table]
    fills, orders = rows(folder, "fills"), {row["order_id"]: row for row in rows(folder, "orders")}
    moved = {"buy": Fraction(0), "sell": Fraction(0)}
    slippage = 0.0
    for fill in fills:
        moved[fill["action"]] += Fraction(fill["quantity"]) * Fraction(fill["price"])
        if orders[fill["order_id"]]["type"] in ("market", "stop"):
            way = 1 if fill["action"] == "buy" else -1
            met = float(fill["price"]) / (1 + way * options.slippage_percent / 100)
            slippage += abs(float(fill["price"]) - met) * float(fill["quantity"])
    trades = closed_trades(folder)
    held = [(day(closed) - day(opened)).days for _, opened, closed, _ in trades]
    profits = [profit for *_, profit in trades]
    lost = -sum(profit for profit in profits if profit < 0)
    won = sum(profit for profit in profits if profit > 0)
    years = len(points) / per_year
    print(
        json.dumps(
            {
                "equity": [point["value"] for point in points],
                "performance": ratios(returns, per_year, days, risk_free),
                "relative": against(returns, [b / a - 1 for a, b in zip(other, other[1:])], per_year, risk_free),
                "exposure": {
                    "gross": statistics.fmean([point["gross"] for point in points]),
                    "net": statistics.fmean([point["net"] for point in points]),
                    "inMarket": sum(point["positions"] > 0 for point in points) / len(points),
                },
                "turnover": float(min(moved.values())) / statistics.fmean(values) / years,
                "costs": {
                    "fees": float(sum(Fraction(fill["fee"]) for fill in fills)), "slippage": slippage,
                    "borrowing": float(sum(Fraction(row["amount"]) for row in rows(folder, "borrowing"))),
                },
                "dividends": float(sum(Fraction(row["amount"]) for row in rows(folder, "dividends"))),
                "trades": {
                    "closed": len(trades),
                    "won": sum(profit > 0 for profit in profits),
                    "profitFactor": float(won / lost) if lost > 0 else None,
                    "averagePnl": float(sum(profits) / len(profits)),
                    "daysHeld": {"mean": statistics.fmean(held), "median": statistics.median(held)},
                },
                "byTicker": {
                    ticker: float(sum(profit for name, *_, profit in trades if name == ticker))
                    for ticker in sorted({name for name, *_ in trades})
                },
            }
        )
    )


main()
