import { kindOf, STREAMS } from '../../actors/streams/streams.ts';
import { APPEND_FAULTS } from './simulated-process.ts';
import type { Role } from './service-process.ts';
import { TROUBLES } from './trouble.ts';

/** The role that writes to each kind of stream. */
const WRITERS: Readonly<Record<string, Role>> = {
  ask: 'knowledge',
  comments: 'audit',
  'knowledge-index': 'knowledge',
  erasures: 'audit',
  checkpoints: 'audit',
  account: 'trading',
  'paper-broker': 'trading',
  market: 'market',
  training: 'models',
  models: 'models',
};

/** The lease for writes to each kind of stream; any process may write asks. */
export const LEASES: Readonly<Record<string, string>> = {
  comments: 'comments',
  erasures: 'audit-projection',
  account: 'trading',
  'paper-broker': 'trading',
  market: 'market-update',
  training: 'training',
  models: 'training',
  'knowledge-index': 'knowledge-index',
  checkpoints: 'checkpoints',
};

/** Streams that others may write to as well: those events are read, and the decision is made again. */
export const isShared = (kind: string): boolean => kind === 'comments' || kind === 'erasures';

/** What can happen to an append, and to its process. */
export const AT_APPENDS: readonly string[] = [...APPEND_FAULTS, ...Object.keys(TROUBLES), 'no store'];

/** What can happen to a write of a file. */
export const AT_WRITES: readonly string[] = ['disk full', 'sync fails', 'lost write'];

const KINDS = STREAMS.map(({ kind }) => kind);

/** Faults that cannot affect all kinds of streams: the kinds that they can, and why no others. */
const REACHED: Readonly<Record<string, readonly [why: string, kinds: readonly string[]]>> = {
  'lease lost': ['it is written by whoever answers, without a lease', Object.keys(LEASES)],
  'no bus': [
    'nobody asks the paper broker but the process that it is in',
    KINDS.filter((kind) => kind !== 'paper-broker'),
  ],
  'no vault': ['it holds no free text, so that nothing of it needs a key', ['ask', 'comments', 'erasures']],
  ...Object.fromEntries(
    AT_WRITES.map((fault) => [
      fault,
      [
        'it is in the record alone and in tables of SQLite, over which processes are killed for real (bench/crash-*)',
        ['ask', 'account', 'checkpoints', 'training', 'models', 'knowledge-index'],
      ],
    ]),
  ),
};

/** A fault, and the kind of stream that it affects. */
export interface Cell {
  readonly fault: string;
  readonly kind: string;
}

/** Each story prefers one cell, so that rare ones occur as often as any. */
export const CELLS: readonly Cell[] = [...AT_APPENDS, 'no bus', 'no vault', ...AT_WRITES].flatMap((fault) =>
  (REACHED[fault]?.[1] ?? KINDS).map((kind) => ({ fault, kind })),
);

/** The hits that a cell needs to count as tested. */
const ENOUGH = 100;

/** Combinations of services; one that is listed twice is drawn twice as often. */
const CASTS: readonly (readonly Role[])[] = [
  ['trading', 'trading'],
  ['trading', 'trading'],
  ['trading', 'market', 'market'],
  ['market', 'market'],
  ['models', 'models'],
  ['knowledge', 'audit', 'audit'],
  ['knowledge', 'audit', 'audit'],
  ['knowledge', 'knowledge', 'audit'],
  ['knowledge', 'audit', 'trading'],
];

/** The combinations in which a process writes to this kind of stream. */
export const castsWith = (kind: string): readonly (readonly Role[])[] =>
  CASTS.filter((roles) => roles.includes(WRITERS[kind]!));

/** How often each fault affected each kind of stream. */
export class FaultLog {
  readonly counts: Record<string, Record<string, number>> = {};

  hit(fault: string, kind: string, times = 1): void {
    const kinds = (this.counts[fault] ??= {});
    kinds[kind] = (kinds[kind] ?? 0) + times;
  }

  /** A table of faults by kinds of streams, with the reasons for dashes (impossible cells) and the rare cells. */
  table(): string {
    const hits = ({ fault, kind }: Cell): number => this.counts[fault]?.[kind] ?? 0;
    const rows = [...Map.groupBy(CELLS, ({ fault }) => fault)].map(([fault, cells]) => [
      fault,
      ...KINDS.map((kind) => {
        const cell = cells.find((each) => each.kind === kind);
        return cell === undefined ? '-' : hits(cell);
      }),
    ]);
    const reasons = Object.entries(REACHED).flatMap(([fault, [why, kinds]]) =>
      KINDS.filter((kind) => !kinds.includes(kind)).map((kind) => `${fault}, ${kind}: ${why}`),
    );
    const seldom = CELLS.filter((cell) => hits(cell) < ENOUGH).map((cell) => `${cell.fault}, ${cell.kind}`);
    return [
      ...[['', ...KINDS], ...rows].map(
        ([fault, ...row]) => String(fault).padEnd(18) + row.map((hit) => String(hit).padStart(16)).join(''),
      ),
      '\ncannot be:',
      ...reasons,
      `\n${CELLS.length - seldom.length} of ${CELLS.length} at least ${ENOUGH} times${seldom.length > 0 ? `; not ${seldom.join('; ')}` : ''}`,
    ].join('\n');
  }
}

/** `beleg.v1.cmd.feedback.comment` → `comments`: the kind of stream that a request writes or reads. */
export const kindOfRequest = (subject: string): string =>
  REQUESTS.find(([named]) => subject.endsWith(named) || subject.includes(`.${named}.`))?.[1] ?? 'other';

const REQUESTS = Object.entries({
  '.ask': 'ask',
  '.rate': 'ask',
  '.comment': 'comments',
  '.erase': 'erasures',
  '.checkpoint': 'checkpoints',
  '.save': 'models',
  '.load': 'models',
  knowledge: 'knowledge-index',
  trading: 'account',
  market: 'market',
  models: 'training',
});

/** `ask-r1` → `ask`. */
export const kindOfStream = (stream: string): string => kindOf(stream)?.kind ?? stream;
