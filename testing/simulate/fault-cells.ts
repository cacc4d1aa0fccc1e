import { kindOf, STREAMS } from '../../actors/streams/streams.ts';
import { APPEND_FAULTS } from './simulated-process.ts';
import type { Role } from './service-process.ts';
import { TROUBLES } from './trouble.ts';

/** Who writes to a kind of stream. */
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

/** Under which lease a kind of stream is written to; asks are written by whoever answers. */
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

/** Those that others may write to all the same: what they wrote is read, and decided on anew. */
export const isShared = (kind: string): boolean => kind === 'comments' || kind === 'erasures';

/** What can happen to whoever has just sent an append, and to that. */
export const AT_APPENDS: readonly string[] = [...APPEND_FAULTS, ...Object.keys(TROUBLES), 'no store'];

/** What can happen where a file is written to. */
export const AT_WRITES: readonly string[] = ['disk full', 'sync fails', 'lost write'];

const KINDS = STREAMS.map(({ kind }) => kind);

/** Faults that cannot hit all kinds of streams: which they can, and why no other. */
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
        ['ask', 'account', 'checkpoints', 'training', 'models'],
      ],
    ]),
  ),
};

/** A fault, and the kind of stream that it hits. */
export interface Cell {
  readonly fault: string;
  readonly kind: string;
}

/** Each story has one that it prefers: so the rare ones are met as often as any. */
export const CELLS: readonly Cell[] = [...AT_APPENDS, 'no bus', 'no vault', ...AT_WRITES].flatMap((fault) =>
  (REACHED[fault]?.[1] ?? KINDS).map((kind) => ({ fault, kind })),
);

/** Hits that a cell of the table needs to count as tried. */
const ENOUGH = 100;

/** Which services run, as often as they stand here. */
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

/** In which somebody writes to this kind of stream. */
export const castsWith = (kind: string): readonly (readonly Role[])[] =>
  CASTS.filter((roles) => roles.includes(WRITERS[kind]!));

/** How often which fault hit which kind of stream. */
export class FaultLog {
  readonly counts: Record<string, Record<string, number>> = {};

  hit(fault: string, kind: string, times = 1): void {
    const kinds = (this.counts[fault] ??= {});
    kinds[kind] = (kinds[kind] ?? 0) + times;
  }

  /** Faults down, kinds of streams across; why a dash stands where a fault cannot hit a kind; and what was hit seldom. */
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

/** `beleg.v1.cmd.feedback.comment` → `comments`: the kind of stream that a request is for, or reads. */
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
