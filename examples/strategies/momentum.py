"""Momentum: once a month the tickers that have risen most share the account equally."""

import json
import sys

LOOKBACK = {"default": 120, "min": 20, "max": 250}
HELD = {"default": 3, "min": 1, "max": 50}
# More than the longest lookback, because a ticker may miss some of these days.
HELLO = {"history": 300, "parameters": {"lookback": LOOKBACK, "held": HELD}}
closes = {}  # of each ticker, one for each session; None where it had no bar


def see(session):
    for ticker, ratio in session["splits"].items():
        closes[ticker] = [close and close / ratio for close in closes.get(ticker, [])]
    for ticker in {**closes, **session["bars"]}:
        close = session["bars"].get(ticker, {}).get("close")
        closes[ticker] = [*closes.get(ticker, []), close][-HELLO["history"] :]


def decide(day):
    lookback, held = int(day["parameters"]["lookback"]), int(day["parameters"]["held"])
    if (day["previous"] or "")[:7] == day["date"][:7]:
        return {}
    known = {t: [c for c in closes.get(t, []) if c] for t in day.get("universe", closes)}
    rises = {t: c[-1] / c[-lookback - 1] - 1 for t, c in known.items() if len(c) > lookback}
    best = sorted((t for t in rises if rises[t] > 0), key=lambda t: -rises[t])[:held]
    out = [t for t in day["account"]["positions"] if t not in best]
    targets = [{"ticker": t, "weight": 0, "reason": "no longer among the best"} for t in out]
    targets += [{"ticker": t, "weight": 0.9 / len(best), "reason": "momentum"} for t in best]
    return {"targets": targets, "plot": {"rising": len(rises)}}


for line in sys.stdin:
    asked, answer = json.loads(line), {}
    if asked["type"] == "hello":
        answer = HELLO
    elif asked["type"] == "begin":
        closes.clear()
        for session in asked["past"]:
            see(session)
    else:
        see(asked)
        answer = decide(asked)
    print(json.dumps(answer), flush=True)
