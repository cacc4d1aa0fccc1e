import { toJson } from '../../foundation/json.ts';
import type { Interaction } from './read-feedback.ts';

/** The columns of an export, in their order: one row an answer. */
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

/** What stands between cells: Excel in German and many other languages reads the semicolon. */
export const SEPARATORS = [',', ';'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** RFC 4180 in UTF-8 with a byte order mark; a first line with the columns' names. */
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

/** A comment after the other, each with its number and its time. */
function commentsCell({ comments, comments_omitted = 0 }: Interaction): string {
  const told = comments.map(({ comment_id, at, comment }) =>
    `#${comment_id} ${at} ${comment ?? ''}`.trimEnd(),
  );
  return [...(comments_omitted === 0 ? [] : [`(${comments_omitted} older ones not shown)`]), ...told].join(
    '\n',
  );
}

/** The places for an apostrophe: also after what some spreadsheets take for the end of a cell, quoted or not. */
const FORMULA: Readonly<Record<Separator, RegExp>> = {
  ',': /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\t\r\n][ \t]*)(?=[=+\-@＝＋－＠])/g,
  ';': /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[,;\t\r\n][ \t]*)(?=[=+\-@＝＋－＠])/g,
};
/** What a terminal would obey; tabs and line ends stay. */
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu;

/** Excel takes UTF-8 for what it is when it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * One record of RFC 4180, with its line end. A cell that a spreadsheet would take for a formula gets an apostrophe before
 * it: what people wrote is text (OWASP, CSV injection).
 */
export function csvRecord(cells: readonly (string | number | null)[], separator: Separator): string {
  return `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`;
}

function csvCell(value: string | number | null, separator: Separator): string {
  const text = String(value ?? '').replaceAll(CONTROLS, ' ');
  const harmless = text.replaceAll(FORMULA[separator], "'");
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
