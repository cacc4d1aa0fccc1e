import { toJson } from '../../foundation/json.ts';
import { inert } from '../spreadsheet-cell.ts';
import type { Interaction } from './read-feedback.ts';

/** The columns of an export in order; each answer is one row. */
const COLUMNS: Readonly<Record<string, (one: Interaction) => string | number | null>> = {
  request_id: (one) => one.request_id,
  at: (one) => one.at,
  question: (one) => one.question,
  answer: (one) => one.answer,
  status: (one) => one.status,
  citations: (one) => one.citations.join(' '),
  rating: (one) => one.rating?.rating ?? null,
  rated_at: (one) => one.rating?.at ?? null,
  feedback: (one) => one.rating?.feedback ?? null,
  comments: commentsCell,
  model: (one) => one.model,
  mode: (one) => one.mode,
  answers: (one) => one.answers,
  latency_ms: (one) => one.latency_ms,
  erased_at: (one) => one.erased_at,
};

/** The separators of cells. Excel in German and many other languages expects the semicolon. */
export const SEPARATORS = [',', ';'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** CSV by RFC 4180 in UTF-8 with a byte-order mark; the first line has the names of the columns. */
export async function* toCsv(
  interactions: AsyncIterable<Interaction>,
  separator: Separator = ',',
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRecord(Object.keys(COLUMNS), separator);
  const cells = Object.values(COLUMNS);
  for await (const one of interactions)
    yield csvRecord(
      cells.map((cell) => cell(one)),
      separator,
    );
}

/** Writes a JSON array. */
export async function* toJsonArray(interactions: AsyncIterable<Interaction>): AsyncGenerator<string> {
  let before = '[';
  for await (const one of interactions) {
    yield `${before}\n${toJson(one, 2)}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

/** All comments, each with its number and time. */
function commentsCell({ comments, comments_omitted = 0 }: Interaction): string {
  const told = comments.map(({ comment_id, at, comment }) =>
    `#${comment_id} ${at} ${comment ?? ''}`.trimEnd(),
  );
  return [...(comments_omitted === 0 ? [] : [`(${comments_omitted} older ones not shown)`]), ...told].join(
    '\n',
  );
}

/** Characters that a terminal would interpret; tabs and line ends are kept. */
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu;

/** Excel recognises UTF-8 by this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/** One record of RFC 4180 with its line end. Cells are changed so that no spreadsheet reads them as a formula. */
export function csvRecord(cells: readonly (string | number | null)[], separator: Separator): string {
  return `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`;
}

function csvCell(value: string | number | null, separator: Separator): string {
  const harmless = inert(String(value ?? '').replaceAll(CONTROLS, ' '), separator);
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
