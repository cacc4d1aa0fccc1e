import { find } from '../dom.ts';
import { amount, count, directionOf, money, signed } from './format.ts';
import { view, type Status } from './state.ts';
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

/** Shows the figures of the account. */
export function showAccount(): void {
  const write = figures(find('#figures'), FIGURES);
  view(['status'], ({ status }) => {
    if (status !== null) write(status);
  });
}
