// A process that projects into a file and is suspended meanwhile: `node stale-holder.fixture.ts FILE between|within`.
import { writeSync } from 'node:fs';
import type { Codec } from '../define.ts';
import type {
  CatchUpSubscription,
  EventStore,
  Position,
  RecordedEvent,
  SubscriptionItem,
} from '../store/store.ts';
import type { Projection, ProjectionStatus } from './projection.ts';
import { startProjection } from './runner.ts';

/** The event at which it is suspended, within a batch. */
export const SUSPENDED_AT = 7;
export const HISTORY = 20;

export const counted: Projection = {
  name: 'counted',
  version: 1,
  tables: 'CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER NOT NULL) STRICT;',
  apply: (rows, event) => rows.run('INSERT INTO entries (n) VALUES (?)', (event.data as { n: number }).n),
};

export const codec = { decode: async (event: RecordedEvent) => event } as unknown as Codec;

export const positionOf = (n: number): Position => String(n).padStart(16, '0') as Position;

/** A record of `count` events that two processes can read: an embedded one belongs to one process. */
export function recordOf(count: number): EventStore {
  const events = Array.from({ length: count }, (_, i) => ({
    type: 'Counted',
    position: positionOf(i + 1),
    data: { n: i + 1 },
  }));
  return {
    end: async () => events.at(-1)?.position,
    async *readAll() {},
    subscribe({ after = '' as Position } = {}): CatchUpSubscription {
      const closed = Promise.withResolvers<void>();
      return {
        close: async () => closed.resolve(),
        async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionItem> {
          for (const event of events) {
            if (event.position > after) yield { kind: 'event', event: event as unknown as RecordedEvent };
          }
          yield { kind: 'caughtUp' };
          await closed.promise;
        },
      };
    },
  } as Partial<EventStore> as EventStore;
}

export interface Line {
  state: 'suspending' | ProjectionStatus['state'];
  error?: string;
}

/** Writes synchronously, because the process may be suspended next. */
function tell(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

function suspendAt(n: number): void {
  if (n !== SUSPENDED_AT) return;
  tell({ state: 'suspending' });
  process.kill(process.pid, 'SIGSTOP');
}

async function main(file: string, where: string): Promise<void> {
  const waiting = Promise.withResolvers<void>();
  const onState = ({ state, error }: ProjectionStatus) => {
    tell({ state, ...(error instanceof Error ? { error: error.message } : {}) });
    if (state === 'waiting') waiting.resolve();
  };
  const first = startProjection({
    store: recordOf(HISTORY),
    codec: {
      ...codec,
      async decode(event) {
        if (where === 'between') suspendAt((event.data as { n: number }).n);
        return codec.decode(event);
      },
    },
    projection: {
      ...counted,
      apply(rows, event, place) {
        counted.apply(rows, event, place);
        if (where === 'within') suspendAt((event.data as { n: number }).n);
      },
    },
    file,
    onState,
  });
  await waiting.promise;
  await first.stop();
  const again = startProjection({ store: recordOf(HISTORY + 5), codec, projection: counted, file, onState });
  await again.waitFor(positionOf(HISTORY + 5), { timeoutMs: 10_000 });
  await again.stop();
}

if (import.meta.main) await main(process.argv[2]!, process.argv[3]!);
