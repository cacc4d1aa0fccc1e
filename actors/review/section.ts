import type { Language } from '../../kb/knowledge.ts';
import { withoutMarks } from '../ask/render.ts';
import type { Check } from './check.ts';

/** Literal in any language: clients look for it. */
export const REVIEW_HEADING = 'Plausibilitätsprüfung:';
export const MARKS: Readonly<Record<Check['status'], string>> = { ok: '✓', warn: '⚠' };
const NOTHING: Readonly<Record<Language, string>> = {
  de: 'Keine Angabe ließ sich an den Fundstellen sicher prüfen.',
  en: 'No statement could be checked against the sources with certainty.',
};
/** How the aspect of a check begins that is arithmetic over the context, and so cites nothing. */
export const ARITHMETIC: Readonly<Record<Language, string>> = { de: 'Rechnung', en: 'Arithmetic' };

const LINE = /^(?<mark>[✓⚠])\uFE0F? (?<aspect>[^:\n]+): (?<detail>\S[^\n]*)$/u;
const ID = /\[([A-Za-z0-9][A-Za-z0-9._-]{0,63})\]/gu;

/** The section that closes an answer: the heading, then a line a check, or the line that nothing could be checked. */
export function renderSection(checks: readonly Check[], language: Language): string {
  const lines = checks.map(({ status, aspect, detail }) => `${MARKS[status]} ${aspect}: ${detail}`);
  return [REVIEW_HEADING, ...(lines.length === 0 ? [NOTHING[language]] : lines)].join('\n');
}

/**
 * The checks of an answer's closing section, whoever wrote it. A line that is malformed, cites an id for which
 * `inContext` is false, or cites nothing though it is no arithmetic, is no check.
 *
 * @example parseSection('…\n\nPlausibilitätsprüfung:\n✓ urlaub: 24 Werktage [URL-DAUER]', (id) => id === 'URL-DAUER')
 */
export function parseSection(answer: string, inContext: (id: string) => boolean): Check[] {
  const lines = answer.split('\n').map((line) => line.trim());
  const heading = lines.lastIndexOf(REVIEW_HEADING);
  if (heading === -1) return [];
  return lines.slice(heading + 1).flatMap((line) => {
    const groups = LINE.exec(line)?.groups;
    if (groups === undefined) return [];
    const aspect = groups['aspect']!.trim();
    const detail = groups['detail']!;
    const source_ids = idsIn(detail);
    const holds = source_ids.length > 0 ? source_ids.every(inContext) : isArithmetic(aspect);
    const status = groups['mark'] === MARKS.ok ? 'ok' : 'warn';
    return holds && aspect !== '' ? [{ status, aspect, detail, source_ids } as const] : [];
  });
}

export function isArithmetic(aspect: string): boolean {
  return Object.values(ARITHMETIC).some((word) => aspect === word || aspect.startsWith(`${word} `));
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

const idsIn = (detail: string): string[] => [...new Set([...detail.matchAll(ID)].map((match) => match[1]!))];
