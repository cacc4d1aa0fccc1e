import { describeFinding, type Finding } from '../../../../events/proof/finding.ts';
import { count } from '../../figures.ts';
import { toJson } from '../../../json.ts';
import { printable } from '../../terminal.ts';

/** What a verification came to, for people and for programs. */
export interface Verdict {
  /** What was verified: `The record`, `account-paper`, `The archive`. */
  readonly subject: string;
  /** There is nothing of that name to verify. */
  readonly isUnknown?: boolean;
  readonly findings: readonly Finding[];
  /** Findings beyond those. */
  readonly more: number;
  /** Figures in words, each with its name, in order. */
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** For programs. */
  readonly figures: Readonly<Record<string, unknown>>;
}

/** More are in `--json`. */
const SHOWN = 40;

export function formatVerdict({ subject, findings, more, facts }: Verdict): string {
  const total = findings.length + more;
  const shown = findings.slice(0, SHOWN).map((finding) => `  ${printable(describeFinding(finding))}`);
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    total === 0
      ? `${printable(subject)} is intact.`
      : `${printable(subject)} is NOT intact: ${count(total, 'finding')}.`,
    ...(total === 0 ? [] : ['', ...shown]),
    ...(total > SHOWN ? [`  … and ${total - SHOWN} more (see --json)`] : []),
    '',
    ...facts.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
  ].join('\n');
}

export function verdictJson({ findings, more, figures }: Verdict): string {
  const described = findings.map((finding) => ({ ...finding, message: describeFinding(finding) }));
  return toJson(
    { whole: findings.length + more === 0, ...figures, findings: described, more_findings: more },
    2,
  );
}
