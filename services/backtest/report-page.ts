import { escapeHtml as escape } from '../foundation/escape-html.ts';
import type { Curve } from './charts.ts';

/** The style of a report: for light and dark colour schemes, narrow windows and printing, without a script. */
const REPORT_STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 15px/1.5 system-ui, sans-serif; --soft: light-dark(#5a6472, #a3abb8);
  --line: light-dark(#dcdfe4, #39404b); --accent: light-dark(#24507a, #8fbdea); --other: light-dark(#b3591c, #f0a566);
  --third: light-dark(#6a4c93, #c3a6e8); --fourth: light-dark(#2c7a4b, #7fcf9f); --fifth: light-dark(#a4303f, #f08c99); --sixth: light-dark(#6b6b00, #d0cf6a); --shade: light-dark(#0003, #fff4); --gain: #1f9d6b; --loss: #d84a3f; }
main { max-width: 62rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: .95rem; margin-bottom: 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem 1.5rem; }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; }
dd, table, svg { font-variant-numeric: tabular-nums; }
pre { white-space: pre-wrap; }
.notes, .notes ul { padding-left: 1.2rem; } .notes b { color: var(--soft); font-weight: 400; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; }
.legend span::before { content: ""; display: inline-block; width: 1rem; height: .2rem; margin-right: .4rem; vertical-align: middle; }
.legend .curve-1::before { background: var(--accent); } .legend .curve-2::before { background: var(--other); }
.legend .curve-3::before { background: var(--third); } .legend .curve-4::before { background: var(--fourth); }
.legend .curve-5::before { background: var(--fifth); } .legend .curve-6::before { background: var(--sixth); }
.chart { margin: 1rem 0; } .chart .narrow-chart { display: none; }
.wide { overflow: auto; background: linear-gradient(to right, Canvas 40%, transparent) left / 3rem 100% no-repeat local,
  linear-gradient(to left, Canvas 40%, transparent) right / 3rem 100% no-repeat local,
  linear-gradient(to right, var(--shade), transparent) left / 1rem 100% no-repeat scroll,
  linear-gradient(to left, var(--shade), transparent) right / 1rem 100% no-repeat scroll; }
 .wide:has(.trades) { max-height: 36rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .25rem .75rem .25rem 0; text-align: right; border-bottom: 1px solid var(--line); }
td, tbody th, .day { white-space: nowrap; }
th { overflow-wrap: normal; }
thead th { position: sticky; top: 0; background: Canvas; color: var(--soft); font-size: .85rem; font-weight: 400; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; }
:is(.trades, .drawdowns) :is(th, td):nth-child(-n+3), .settings td, .settings th, .trades :is(th, td):nth-child(4) { text-align: left; }
.settings tbody :is(th, td), .words { white-space: normal; }
.months :is(th, td) { padding: .25rem .5rem; }
@media (max-width: 40rem) { table { font-size: .8rem; } th, td { padding-right: .5rem; } .months :is(th, td) { padding: .25rem; }
   .chart .wide-chart { display: none; } .chart .narrow-chart { display: block; } }
@media print { :root { color-scheme: light; } .legend, .months { print-color-adjust: exact; } details::details-content { content-visibility: visible; }
  .wide, .wide:has(.trades) { overflow: visible; max-height: none; background: none; } :is(h2, h3, .legend, summary) { break-after: avoid; } :is(.chart, tr, .legend) { break-inside: avoid; }
  .legend { display: block; } .legend span { display: inline-block; margin-right: 1.5rem; }
  table, thead th { font-size: .7rem; } th, td { padding-right: .4rem; overflow-wrap: normal; } td, tbody th { white-space: normal; } }
`;

/** A report as one file of HTML. `title` is plain text, `content` HTML. */
export const reportPage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${REPORT_STYLE}</style>
<main>
${content}
</main>
</html>
`;

/** A table in a box. Wide tables scroll by themselves, also by keyboard. */
export const table = (name: string, heads: string, rows: readonly string[], kind: string): string =>
  `<div class="wide" role="region" aria-label="${name}" tabindex="0"><table class="${kind}">
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => `${row}</tr>`).join('\n')}</tbody></table></div>`;

/** The names of the curves with their colours. */
export const legend = (curves: readonly Curve[]): string =>
  `<p class="legend">${curves.map(({ name }, at) => `<span class="curve-${at + 1}">${escape(name)}</span>`).join(' ')}</p>`;
