import type { Language } from '../source.ts';
import { withoutMarks } from '../answer/render.ts';
import type { Check, NotChecked } from './check.ts';
import { sayShare } from './share.ts';

/** The heading is German in every language, because clients search for it. */
const REVIEW_HEADING = 'Plausibilitätsprüfung:';
const MARKS: Readonly<Record<Check['status'], string>> = { ok: '✓', warn: '⚠' };
const NOTHING: Readonly<Record<Language, string>> = {
  de: 'Keine Angabe konnte anhand der Fundstellen sicher geprüft werden.',
  en: 'None of the facts could be reliably checked against the sources.',
};
/** The beginning of a check of a sum, before its label. */
export const ARITHMETIC: Readonly<Record<Language, string>> = { de: 'Rechnung', en: 'Arithmetic' };

/**
 * The section at the end of an answer: the heading, the share that was checked, and one line for each check, or the
 * statement that nothing could be checked.
 */
export function renderSection(
  checks: readonly Check[],
  notChecked: readonly NotChecked[],
  language: Language,
): string {
  const lines = checks.map(({ status, aspect, detail }) => `${MARKS[status]} ${aspect}: ${detail}`);
  const body =
    lines.length === 0 ? [NOTHING[language]] : [sayShare(checks.length, notChecked, language), ...lines];
  return [REVIEW_HEADING, ...body].join('\n');
}

/** The facts that no check covers, one line for each reason; empty if there are none. */
export function renderNotChecked(notChecked: readonly NotChecked[], language: Language): string {
  const byReason = Map.groupBy(notChecked, ({ reason }) => reason);
  const label = language === 'de' ? 'Nicht geprüft' : 'Not checked';
  return [...byReason]
    .map(
      ([reason, facts]) => `${label}: ${[...new Set(facts.map(({ fact }) => fact))].join(', ')}. ${reason}`,
    )
    .join('\n');
}

/**
 * A check as one line of a section, with its ids in brackets at the end. Texts of the client and of passages cannot add
 * citations, marks or line breaks.
 */
export function checkOf(
  status: Check['status'],
  aspect: string,
  detail: string,
  ids: readonly string[],
): Check {
  const source_ids = [...new Set(ids)];
  const cited = source_ids.map((id) => `[${id}]`).join('');
  return {
    status,
    aspect: oneLine(aspect).replaceAll(':', ' ').replaceAll(/\s+/gu, ' ').trim(),
    detail: `${oneLine(detail)}${cited === '' ? '' : ` ${cited}`}`,
    source_ids,
  };
}

/** Foreign text that is safe within a line. */
export function oneLine(text: string): string {
  return withoutMarks(text.replaceAll('✓', '').replaceAll(/[\p{C}\s]+/gu, ' ')).trim();
}
