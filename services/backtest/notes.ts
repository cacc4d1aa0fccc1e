import { placed } from '../strategies/fault.ts';
import { isProgram } from '../strategies/named.ts';
import { amount } from './format.ts';
import { fileLeftOut, isImpossible } from './sessions.ts';
import { isLookAhead } from './shown-notes.ts';
import type { BacktestSummary } from './summary.ts';

/** Warnings about the figures. A look-ahead is the first, because no figure can be believed with it. */
export function notesOf(summary: BacktestSummary): string[] {
  const { lookAhead = [], impossible = [], other = [] } = Object.groupBy(summary.notes, kindOfNote);
  return [
    ...lookAhead,
    ...impossible,
    ...modelNotes(summary),
    ...programNotes(summary),
    ...strategyNotes(summary),
    ...haltNotes(summary),
    ...marginNotes(summary),
    ...unpaidNotes(summary),
    ...unmetNotes(summary),
    ...staleNotes(summary),
    ...summary.benchmarks.flatMap(({ notes }) => notes),
    ...other,
  ];
}

function kindOfNote(note: string): 'lookAhead' | 'impossible' | 'other' {
  if (isLookAhead(note)) return 'lookAhead';
  return isImpossible(note) ? 'impossible' : 'other';
}

/** Notes on own programs: a test can only examine what a strategy is shown. */
function programNotes({ ownStrategies }: BacktestSummary): string[] {
  const programs = ownStrategies.filter(({ source }) => isProgram(source)).map(({ name }) => name);
  if (programs.length === 0) return [];
  const are = programs.length === 1 ? 'is a program' : 'are programs';
  return [
    `NOT CHECKED for look-ahead: ${programs.join(' and ')} ${are}, and what a program reads by itself ` +
      '(files, the network, a clock) is not looked at.',
  ];
}

/** Notes on halted strategies, each beginning with file and line, as compilers write them. */
const strategyNotes = ({ strategiesHalted }: BacktestSummary): string[] =>
  strategiesHalted.map(({ strategy, session, detail, ...place }) => {
    const when = session === null ? 'before the first session' : `on ${session}`;
    return `STRATEGY HALTED: ${strategy}, ${when}: ${placed(detail, place)}. From then on it decided nothing.`;
  });

/** The most halts that are named. */
const NAMED_HALTS = 10;

function haltNotes({ halts, haltedSessions, sessions }: BacktestSummary): string[] {
  if (halts.length === 0) return [];
  const times = halts.length === 1 ? 'once' : `${amount(halts.length, 0)} times`;
  const named = halts.slice(0, NAMED_HALTS).map(({ session, reason, detail, resumed }) => {
    const until = resumed === null ? 'never resumed' : `until ${resumed}`;
    return `  ${session}, ${until}: ${reason.replaceAll('_', ' ')} (${readable(detail)})`;
  });
  const more = halts.length - named.length;
  return [
    `HALTED ${times}: in ${amount(haltedSessions, 0)} of ${amount(sessions, 0)} sessions no position could be opened. ` +
      'The figures below include these sessions.',
    ...named,
    ...(more > 0 ? [`  and ${amount(more, 0)} more, until ${halts.at(-1)!.session}.`] : []),
  ];
}

/** The text with amounts of two decimals instead of all recorded decimals. */
const readable = (detail: string): string =>
  detail.replaceAll(/-?\d+\.\d{3,}/g, (figure) => amount(Number(figure)));

const marginNotes = ({ marginCalls }: BacktestSummary): string[] =>
  marginCalls.map(
    ({ session, value, required }) =>
      `MARGIN CALL on ${session}: the account was worth ${amount(value)}, but short positions required ${amount(required)}; they were bought back.`,
  );

/** Orders that were reduced or rejected for lack of cash. */
function unpaidNotes({ orders }: BacktestSummary): string[] {
  const unpaid = orders.filter(
    ({ reject_reason }) => reject_reason?.startsWith('INSUFFICIENT_FUNDS') === true,
  );
  const [first] = unpaid;
  if (first === undefined) return [];
  return [
    `NOT PAID: ${amount(unpaid.length, 0)} of ${amount(orders.length, 0)} orders were cut or rejected when they were to be filled, ` +
      `because they cost more than there was; the first is of ${first.timestamp.slice(0, 10)}: ${first.action} ` +
      `${amount(first.quantity, 4)} ${first.ticker}, ${amount(first.filled_quantity, 4)} filled (${first.reject_reason}).`,
  ];
}

const NOT_GOT = 'NOT GOT: ';

/** One note for each reason, the most frequent first. */
const unmetNotes = ({ unmet }: BacktestSummary): string[] =>
  unmet
    .toSorted((one, other) => other.count - one.count)
    .map(
      ({ reason, count, first }) =>
        `${NOT_GOT}${amount(count, 0)} ${count === 1 ? 'time' : 'times'} the strategy did not get in full what it wanted (${reason}); the first is ${first}.`,
    );

function staleNotes({ settlements, positions, to }: BacktestSummary): string[] {
  const settled = settlements.map(
    ({ ticker, session, quantity, price, last_traded }) =>
      `SETTLED on ${session}: ${ticker} no longer trades. ${quantity} closed at its last price ${price} (${last_traded}). ` +
      'The data does not say what holders really received.',
  );
  const stale = Object.entries(positions).filter(([, position]) => position.stale);
  return [
    ...settled,
    ...stale.map(
      ([ticker, { quantity, current_price, price_session }]) =>
        `STALE at the end, ${to}: ${amount(quantity, 4)} ${ticker} valued at its last price ${amount(current_price, 4)} (${price_session}).`,
    ),
  ];
}

/** Warnings about the model; none if no model was used. */
function modelNotes({ model, sessions }: Pick<BacktestSummary, 'model' | 'sessions'>): string[] {
  if (model === null) return [];
  const weights = `Weights ${model.weights.slice(0, 12)}`;
  if (model.trainedUntil === null) return [`${weights}, never trained: their predictions mean nothing.`];
  if (model.inSample === 0) return [`${weights}, trained until ${model.trainedUntil}: out of sample.`];
  return [
    `${weights}, trained until ${model.trainedUntil}.`,
    `IN SAMPLE: training has seen ${amount(model.inSample, 0)} of the ${amount(sessions, 0)} sessions; ` +
      'profit in those sessions is no evidence of future profit.',
  ];
}

/** Notes of one kind differ only in tickers, dates and figures. */
interface NotesOfKind {
  readonly first: string;
  readonly more: readonly string[];
}

/** Whether the further notes explain the first one, instead of being others of its kind. */
export const areDetails = ({ more }: NotesOfKind): boolean => more.every((note) => note.startsWith(' '));

/** The most files that a line names. */
const NAMED_FILES = 20;

/**
 * Notes of one kind in one line. The files of the notes that are left out are still named, because they are said
 * nowhere else.
 */
export function inOneLine({ first, more }: NotesOfKind): string {
  const files = [...new Set(more.map(fileLeftOut))].filter((file) => file !== null);
  if (files.length === 0) return `${first} (and ${more.length} more like it; --json has all)`;
  const rest = files.length > NAMED_FILES ? `, and ${files.length - NAMED_FILES} more` : '';
  return `${first} (and also ${files.slice(0, NAMED_FILES).join(', ')}${rest}; --json has all with their reasons)`;
}

/** The number of first words by which notes are told apart. */
const TELLING = 7;

/**
 * Merges notes of one kind, in the order in which the kinds first appear. A note that explains another one stays with
 * it.
 */
export function foldNotes(notes: readonly string[], tickers: readonly string[]): NotesOfKind[] {
  const known = new Set(tickers);
  const isVaried = (word: string): boolean =>
    /\d|\.csv\b/i.test(word) || known.has(word.replaceAll(/[^\w^.=-]/g, ''));
  let before = '';
  const kindOf = (note: string): string => {
    if (note.startsWith(' ')) return before;
    const words = note.split(/\s+/).filter((word) => !isVaried(word));
    // Notes on unmet targets all begin with the same words, and the reason stands after these.
    const telling = note.startsWith(NOT_GOT) ? words : words.slice(0, TELLING);
    return (before = telling.join(' '));
  };
  return [...Map.groupBy(notes, kindOf).values()].map(([first = '', ...more]) => ({ first, more }));
}
