import type { Draft, DraftSentence } from './ports.ts';
import { CONFLICT_MARK } from './templates.ts';

export type Statement = Extract<DraftSentence, { kind: 'statement' }>;

/** A draft by its parts: quotes first, then the conflict lines, then the frames. */
export interface DraftParts {
  readonly statements: readonly Statement[];
  /** The conflicts: for each, its statements, which follow a mark `⚠`. */
  readonly conflicts: readonly (readonly Statement[])[];
  readonly frames: readonly string[];
}

export function partsOf(draft: Draft): DraftParts {
  const statements: Statement[] = [];
  const conflicts: Statement[][] = [];
  const frames: string[] = [];
  let line: Statement[] | null = null;
  for (const sentence of draft.sentences) {
    if (sentence.kind === 'statement') (line ?? statements).push(sentence);
    else if (sentence.text === CONFLICT_MARK) conflicts.push((line = []));
    else {
      line = null;
      frames.push(sentence.text);
    }
  }
  return { statements, conflicts: conflicts.filter((line) => line.length > 0), frames };
}

export function draftOf(parts: DraftParts): Draft {
  return {
    sentences: [
      ...parts.statements,
      ...parts.conflicts.flatMap((line) => [{ kind: 'frame', text: CONFLICT_MARK } as const, ...line]),
      ...parts.frames.map((text) => ({ kind: 'frame', text }) as const),
    ],
  };
}

/**
 * The text of an answer: cited sentences first, each followed by its ids, then the conflict lines, and the frames at
 * the end.
 */
export function renderParts(parts: DraftParts): string {
  return [
    ...byPart(parts.statements).map(renderLines),
    ...parts.conflicts.map(renderConflict),
    parts.frames.join(' '),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

/** The text of statements. Each item of a list begins a line, and code and further passages are set apart. */
const renderLines = (statements: readonly Statement[]): string =>
  statements
    .map((statement, i) => {
      const text = renderStatement(statement);
      if (i === 0) return text;
      const both = [statement, statements[i - 1]!];
      const isApart = statement.apart === true || both.some(({ code }) => code === true);
      return `${isApart ? '\n\n' : both.some(({ item }) => item === true) ? '\n' : ' '}${text}`;
    })
    .join('');

/** Groups statements by the part of the question that they answer; each group is a paragraph. */
const byPart = (statements: readonly Statement[]): (readonly Statement[])[] => [
  ...Map.groupBy(statements, (statement) => statement.part ?? -1).values(),
];

export function renderDraft(draft: Draft): string {
  return renderParts(partsOf(draft));
}

export function renderConflict(line: readonly Statement[]): string {
  return `${CONFLICT_MARK} ${line.map(renderStatement).join(' ')}`;
}

function renderStatement({ heading, ...statement }: Statement): string {
  const told = renderCited(statement);
  return heading === undefined ? told : `${withoutMarks(heading)}\n${told}`;
}

function renderCited({ text, citations, code, denial }: Statement): string {
  const ids = citations.map((id) => `[${id}]`).join('');
  if (code === true) return `${fenced(text)}\n${ids}`;
  return [...(denial === undefined ? [] : [denial]), withoutMarks(text), ...(ids === '' ? [] : [ids])].join(
    ' ',
  );
}

/** Code in a Markdown fence that is longer than any fence within the code. Code cites nothing, so its brackets stay. */
function fenced(code: string): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`{3,}/gu), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code.replaceAll(CONFLICT_MARK, '!')}\n${fence}`;
}

/**
 * A quoted text in which brackets that would read as a citation become round ones, and our own marks exclamation marks.
 * So no passage and no model can cite or warn in our name by writing `[ID]` or `⚠` into its text.
 */
export function withoutMarks(text: string): string {
  return text.replaceAll(/\[([A-Za-z0-9][A-Za-z0-9._-]{0,63})\]/gu, '($1)').replaceAll(CONFLICT_MARK, '!');
}

/** Cited ids in order of their first mention. */
export function citationsOf({ statements, conflicts }: DraftParts): string[] {
  return [...new Set([...statements, ...conflicts.flat()].flatMap((statement) => statement.citations))];
}
