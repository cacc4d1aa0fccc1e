import { find } from '../dom.ts';
import { colour, createChart, paintLine, SESSIONS } from './chart.ts';
import { amount, compact, count, day, directionOf, money, percent, signed } from './format.ts';
import { view, type Point, type Status } from './state.ts';
import { figures, type Figure } from './table.ts';

const gain = (id: string, name: string, valueOf: (status: Status) => number): Figure<Status> => [
  id,
  name,
  (status) => signed(valueOf(status)),
  (status) => directionOf(valueOf(status)),
];

const FIGURES: readonly Figure<Status>[] = [
  ['total-value', 'Total value', ({ total_value, currency }) => money(total_value, currency)],
  ['open-orders', 'Open orders', ({ open_orders }) => count(open_orders)],
  ['cash', 'Cash', ({ cash }) => amount(cash)],
  gain('unrealized', 'Unrealised', ({ unrealized_pnl }) => unrealized_pnl),
  gain('realized', 'Realised, net', ({ realized_pnl }) => realized_pnl),
  ['fees', 'Fees paid', ({ fees }) => amount(fees)],
  gain('dividends', 'Dividends', ({ dividends }) => dividends),
  gain('borrowing', 'Borrowing costs', ({ borrowing_costs }) => -borrowing_costs),
  ['unsettled', 'Unsettled', ({ unsettled_cash }) => amount(unsettled_cash)],
  [
    'discrepancies',
    'Discrepancies',
    ({ discrepancies }) => count(discrepancies),
    ({ discrepancies }) => (discrepancies > 0 ? 'loss' : ''),
  ],
];

/** Shows the figures of the account and its value over time. */
export function showAccount(): void {
  const write = figures(find('#figures'), FIGURES);
  view(['status'], ({ status }) => {
    if (status !== null) write(status);
  });

  let points: Point[] = [];
  const chart = createChart(find('#equity-chart'), {
    readout: find('#equity-readout'),
    label: 'Account value by session',
    steps: SESSIONS,
    series: [
      {
        stroke: () => colour('accent'),
        fill: () => colour('accent-wash'),
        width: 1.5,
        points: { show: false },
      },
    ],
    range: (min, max) => {
      const room = Math.max((max - min) * 0.08, max * 0.001);
      return [min - room, max + room];
    },
    formatY: compact,
    // Draws a line at the value of the beginning.
    paint: (plot) => paintLine(plot, 'y', points[0]!.total_value),
    say(index) {
      const { total_value, cash } = points[index]!;
      const first = points[0]!.total_value;
      return `Value ${amount(total_value)}  Cash ${amount(cash)}  Since ${day(points[0]!.session)} ${percent(total_value / first - 1)}`;
    },
  });
  view(['equity'], ({ equity }) => {
    points = equity;
    chart.show(
      equity.map(({ session }) => session),
      [equity.map(({ total_value }) => total_value)],
    );
  });
}
