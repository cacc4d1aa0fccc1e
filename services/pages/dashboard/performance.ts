import { find } from '../dom.ts';
import { amount, count, counted, day, directionOf, fixed, percent, share } from './format.ts';
import { view, type Performance } from './state.ts';
import { figures, setText, type Figure } from './table.ts';

/** A return or a drawdown, as a percentage that is coloured by its sign. */
const rate = (id: string, name: string, of: (read: Performance) => number | null): Figure<Performance> => [
  id,
  name,
  (read) => percent(of(read)),
  (read) => directionOf(of(read) ?? 0),
];

const FIGURES: readonly Figure<Performance>[] = [
  rate('total-return', 'Return, time-weighted', ({ performance }) => performance.totalReturn),
  rate('annual-return', 'Return a year', ({ performance }) => performance.annualReturn),
  rate('money-weighted', 'Return, money-weighted', ({ moneyWeighted }) => moneyWeighted.total),
  ['cash-flows', 'Cash in, out', ({ flows }) => `${amount(flows.deposited)}, ${amount(flows.withdrawn)}`],
  rate('max-drawdown', 'Maximum drawdown', ({ performance }) => performance.maxDrawdown),
  ['volatility', 'Volatility a year', ({ performance }) => share(performance.annualVolatility)],
  ['sharpe', 'Sharpe ratio', ({ performance }) => fixed(performance.sharpe)],
  ['sortino', 'Sortino ratio', ({ performance }) => fixed(performance.sortino)],
  ['exposure', 'Exposure, mean', ({ exposure }) => share(exposure.gross)],
  ['turnover', 'Turnover a year', ({ turnover }) => share(turnover)],
  ['closed-trades', 'Closed trades', ({ trades }) => count(trades.closed)],
  ['won', 'Won', ({ trades: { closed, won } }) => share(closed === 0 ? null : won / closed)],
  ['profit-factor', 'Profit factor', ({ trades }) => fixed(trades.profitFactor)],
  ['cost-fees', 'Fees', ({ costs }) => amount(costs.fees)],
  ['cost-slippage', 'Slippage', ({ costs }) => amount(costs.slippage)],
  ['cost-borrowing', 'Borrowing', ({ costs }) => amount(costs.borrowing)],
];

/** Rows that are only shown if cash came or left; otherwise both returns are equal. */
const OF_CASH = ['money-weighted', 'cash-flows'];

/** Shows the figures of a backtest's report for the account, up to its last close. */
export function showPerformance(): void {
  const list = find('#performance-figures');
  const write = figures(list, FIGURES);
  const ofCash = OF_CASH.map((id) => find(`#${id}`).parentElement!);
  const show = (read: Performance): void => {
    const { from, to, sessions, flows } = read;
    const isEmpty = sessions === 0;
    find('#no-performance').hidden = !isEmpty;
    list.hidden = isEmpty;
    setText(
      find('#performance-period'),
      isEmpty ? '' : `${day(from)} to ${day(to)}, ${counted(sessions, 'session')}`,
    );
    write(read);
    for (const node of ofCash) node.hidden = flows.deposited === 0 && flows.withdrawn === 0;
  };
  view(['performance'], ({ performance }) => {
    if (performance !== null) show(performance);
  });
}
