import { find } from '../dom.ts';
import { createChart, SESSIONS } from './chart.ts';
import { fillsByBar, paintPrices, type PriceDrawing } from './candles.ts';
import { choice } from './send-command.ts';
import { amount, compact, count, price } from './format.ts';
import { showSessions } from './history.ts';
import { isOpen, view } from './state.ts';
import { setText } from './table.ts';

const title = find('#price-title');
const host = find('#price-chart');

const NO_HISTORY = { bars: [], splits: {}, dividends: {} };

/** Shows the bars of the chosen ticker with its fills, open orders, splits and dividends. */
export function showPrices(): void {
  let shown: PriceDrawing = { ...NO_HISTORY, fills: new Map(), open: [], average: null };
  const chart = createChart(host, {
    readout: find('#price-readout'),
    label: 'Price by session',
    steps: SESSIONS,
    // The bars are drawn by `paint`; the series only give the axis its range.
    series: [
      { paths: () => null, points: { show: false } },
      { paths: () => null, points: { show: false } },
    ],
    range: (min, max) => {
      const span = Math.max(max - min, max * 0.01);
      return [min - span * 0.24, max + span * 0.08];
    },
    formatY: price,
    paint: (plot) => paintPrices(plot, shown),
    say: (index) => sayBar(shown, index),
  });

  view(['history', 'orders', 'status', 'ticker'], ({ history, orders, status, ticker }) => {
    setText(title, ticker || '–');
    host.dataset.empty = history?.ticker === ticker ? 'No prices yet' : 'Loading…';
    chart.setLabel(`Price of ${ticker} by session`);
    const { bars, splits, dividends } = history?.ticker === ticker ? history : NO_HISTORY;
    const own = [...orders.values()].filter((order) => order.ticker === ticker);
    shown = {
      bars,
      splits,
      dividends,
      fills: fillsByBar(own, bars, splits),
      open: own.filter((order) => isOpen(order) && order.type !== 'market'),
      average: status?.positions[ticker]?.average_price ?? null,
    };
    chart.show(
      bars.map(({ date }) => date),
      [bars.map(({ high }) => high), bars.map(({ low }) => low)],
    );
  });

  choice(find('#range'), (sessions) => showSessions(Number(sessions)));
}

function sayBar({ bars, splits, dividends, fills }: PriceDrawing, index: number): string {
  const { date, open, high, low, close, volume } = bars[index]!;
  const words = [
    `O ${price(open)}  H ${price(high)}  L ${price(low)}  C ${price(close)}  V ${compact(volume)}`,
  ];
  for (const { action, quantity, at } of fills.get(index) ?? []) {
    words.push(`${action === 'buy' ? 'Bought' : 'Sold'} ${count(quantity)} @ ${price(at)}`);
  }
  const [split, dividend] = [splits[date], dividends[date]];
  if (split !== undefined) words.push(`Split ${count(split)} : 1`);
  if (dividend !== undefined) words.push(`Dividend ${amount(dividend)}`);
  return words.join('  ');
}
