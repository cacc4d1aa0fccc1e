import type { AskResponse } from '../../../events/messages/knowledge.ts';
import { el } from '../dom.ts';
import { linkCitations } from './citations.ts';
import { texts } from './page-language.ts';

const HEADING = 'Plausibilitätsprüfung:';
type Plausibility = NonNullable<AskResponse['plausibility']>;

const SYMBOLS = { plausible: '✓', implausible: '⚠', not_checkable: '?' };
const MARKS = { ok: '✓', warn: '⚠' };

/** The verdict of a review and its checks; `null` for an answer that is no review. */
export function renderVerdict({ answer, plausibility, sources }: AskResponse): HTMLElement | null {
  if (plausibility === undefined) return null;
  const { verdict, checks } = plausibility;
  const share = shareIn(answer);
  const entries = checks.map((check) => renderCheck(check, sources));
  return el(
    'section.verdict',
    { dataset: { verdict }, ariaLabel: texts.verdict },
    renderBanner(verdict, SYMBOLS[verdict], texts[verdict], noteOn(verdict, checks)),
    checks.length === 0 || share === null ? null : el('p.coverage', share),
    checks.length === 0 ? null : el('ul.checks', entries),
  );
}

/** A banner that says how far the following can be relied on, in the colours of its state. */
export function renderBanner(state: string, symbol: string, title: string, note: string): HTMLElement {
  return el(
    'p.banner',
    { dataset: { state } },
    el('span.symbol', { ariaHidden: 'true' }, symbol),
    el('span', el('strong', title), ` – ${note}`),
  );
}

/** The answer without the section of checks, which are shown by themselves. */
export function withoutSection({ answer, plausibility }: AskResponse): string {
  if (plausibility === undefined) return answer;
  const { lines, heading } = sectionOf(answer);
  return heading === -1 ? answer : lines.slice(0, heading).join('\n').trimEnd();
}

/** The line on how much was checked, between the heading and the checks; `null` if there is none. */
function shareIn(answer: string): string | null {
  const { lines, heading } = sectionOf(answer);
  const line = heading === -1 ? undefined : lines[heading + 1];
  return line === undefined || Object.values(MARKS).some((mark) => line.startsWith(mark)) ? null : line;
}

function sectionOf(answer: string) {
  const lines = answer.split('\n');
  return { lines, heading: lines.findLastIndex((line) => line.trim() === HEADING) };
}

function noteOn(verdict: Plausibility['verdict'], checks: Plausibility['checks']): string {
  if (verdict !== 'implausible') return texts[`${verdict}Note`];
  return texts.implausibleNote(checks.filter(({ status }) => status === 'warn').length, checks.length);
}

function renderCheck(
  { status, aspect, detail }: Plausibility['checks'][number],
  sources: AskResponse['sources'],
): HTMLElement {
  return el(
    'li',
    { dataset: { status } },
    el('span.mark', { ariaHidden: 'true' }, MARKS[status]),
    el(
      'div',
      el('span.outcome', status === 'ok' ? texts.checkOk : texts.checkWarn),
      el('strong', aspect),
      el('p', linkCitations(detail, sources)),
    ),
  );
}
