import { amount, percent } from './format.ts';
import type { Drawdown, YearOfReturns } from './periods.ts';

/** The deepest ways down. */
export function drawdownTable(drawdowns: readonly Drawdown[]): string {
  if (drawdowns.length === 0) return '<p>It never fell below an earlier close.</p>';
  const rows = drawdowns.map(
    ({ from, lowest, recovered, depth, sessions }) =>
      `<tr><td>${from}<td>${lowest}<td>${recovered ?? 'not yet'}<td>${percent(depth)}<td>${amount(sessions, 0)}</tr>`,
  );
  return `<div class="wide"><table>
<thead><tr><th>High of<th>Lowest<th>Recovered<th>Depth<th>Sessions</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** A month of this return, or more, has the full colour. */
const FULL_COLOUR = 0.08;

/** In percent; what rounds to nothing has no sign. */
const tenths = (value: number): string => (Math.round(value * 1_000) / 10 || 0).toFixed(1);

/** A row each year, its colours by how much a month brought. */
export function monthTable(years: readonly YearOfReturns[]): string {
  const rows = years.map(
    ({ year, months, total }) =>
      `<tr><th scope="row">${year}${months.map(monthCell).join('')}<td><b>${tenths(total)}</b></tr>`,
  );
  return `<div class="wide"><table class="months">
<thead><tr><th>%${MONTHS.map((month) => `<th>${month}`).join('')}<th>Year</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

function monthCell(value: number | null): string {
  if (value === null) return '<td>';
  const strength = Math.round(Math.min(1, Math.abs(value) / FULL_COLOUR) * 50);
  const colour = value < 0 ? 'loss' : 'gain';
  return `<td style="background:color-mix(in srgb, var(--${colour}) ${strength}%, transparent)">${tenths(value)}`;
}
