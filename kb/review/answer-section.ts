import type { Language } from '../source.ts';
import { withoutMarks } from '../answer/render.ts';
import { coverageOf, type Check, type NotChecked } from './check.ts';

/** Literal in any language: clients look for it. */
const REVIEW_HEADING = 'Plausibilitätsprüfung:';
const MARKS: Readonly<Record<Check['status'], string>> = { ok: '✓', warn: '⚠' };
const NOTHING: Readonly<Record<Language, string>> = {
  de: 'Keine Angabe konnte anhand der Fundstellen sicher geprüft werden.',
  en: 'None of the facts could be reliably checked against the sources.',
};
/** How the aspect of a sum begins, before its label. */
export const ARITHMETIC: Readonly<Record<Language, string>> = { de: 'Rechnung', en: 'Arithmetic' };

/** The section that closes an answer: the heading, the share that was checked, then a line a check, or that nothing could be. */
export function renderSection(
  checks: readonly Check[],
  notChecked: readonly NotChecked[],
  language: Language,
): string {
  const lines = checks.map(({ status, aspect, detail }) => `${MARKS[status]} ${aspect}: ${detail}`);
  const body = lines.length === 0 ? [NOTHING[language]] : [sayShare(checks, notChecked, language), ...lines];
  return [REVIEW_HEADING, ...body].join('\n');
}

function sayShare(checks: readonly Check[], notChecked: readonly NotChecked[], language: Language): string {
  const { checked, of } = coverageOf(checks, notChecked);
  return language === 'de' ? `${checked} von ${of} Angaben geprüft.` : `${checked} of ${of} facts checked.`;
}

/** Facts that no check judges, a line a reason; empty where there are none. */
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
 * A check as it may stand in a section: one line, its ids in brackets behind the detail. Texts of the client and of
 * passages cannot cite, mark or break the line by what they hold.
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

/** Text of others, made fit to stand inside a line. */
export function oneLine(text: string): string {
  return withoutMarks(text.replaceAll('✓', '').replaceAll(/[\p{C}\s]+/gu, ' ')).trim();
}
