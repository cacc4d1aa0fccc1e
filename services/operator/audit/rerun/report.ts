import { count } from '../../figures.ts';
import { cut, painter, printable, type Paint, type Terminal } from '../../terminal.ts';
import { differs } from './compare.ts';
import type { Rerun } from './rerun-asks.ts';
import type { RerunSummary } from './summary.ts';

/** What differs in one ask; empty where nothing does. */
export function formatRerun(
  { request_id, at, question, before, after, comparison }: Rerun,
  to: Terminal,
): string {
  if (after === null || comparison === null || !differs(comparison)) return '';
  const paint = painter(to);
  const statuses =
    before.status === after.status
      ? after.status
      : `${before.status} → ${paint('yellow', after.status)}${after.code === null ? '' : ` (${after.code})`}`;
  const citations = [
    ...comparison.removed.map((id) => paint('red', `-[${id}]`)),
    ...comparison.added.map((id) => paint('green', `+[${id}]`)),
  ];
  return [
    `${paint('bold', request_id)} ${paint('dim', at)} ${statuses}`,
    `  ${cut(oneLine(question ?? ''), to.columns - 2)}`,
    ...(citations.length === 0 ? [] : [`  ${citations.join(' ')}`]),
    ...(comparison.text ? textDifference(before.answer ?? '', after.answer ?? '', to, paint) : []),
  ].join('\n');
}

export function formatSummary(summary: RerunSummary, to: Terminal): string {
  const paint = painter(to);
  const { asked, same, different, skipped, statuses, citations_changed, text_changed, latency_ms } = summary;
  const rows: [string, string][] = [
    ['the same', `${same}`],
    ['different', `${different}`],
    ['  different citations', `${citations_changed}`],
    ['  different text', `${text_changed}`],
    ...statuses.map(({ before, after, asks }): [string, string] => [
      before === after ? before : `${before} → ${after}`,
      `${asks}`,
    ]),
    ['median latency', `${latency_ms.before ?? '-'} → ${latency_ms.after ?? '-'} ms`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    paint('bold', `${count(asked, 'question')} asked again`),
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...(skipped === 0
      ? []
      : [`  ${count(skipped, 'ask')} skipped, because the text was redacted, erased or cannot be decrypted`]),
  ].join('\n');
}

/** Characters of what both have in common that are shown before the first difference. */
const LEAD = 20;

/** Both texts from shortly before where they part. */
function textDifference(before: string, after: string, { columns }: Terminal, paint: Paint): string[] {
  const [old, present] = [oneLine(before), oneLine(after)];
  let parting = 0;
  while (parting < old.length && old[parting] === present[parting]) parting++;
  const from = Math.max(0, parting - LEAD);
  const show = (text: string) => cut(from === 0 ? text : `…${text.slice(from)}`, columns - 4);
  return [paint('red', `  - ${show(old)}`), paint('green', `  + ${show(present)}`)];
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/ {2,}/gu, ' ');
}
