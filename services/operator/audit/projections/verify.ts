import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DomainEvent } from '../../../../events/define.ts';
import { BelegError } from '../../../../events/errors.ts';
import type { Place, Projection } from '../../../../events/projections/projection.ts';
import { ProjectionTables } from '../../../../events/projections/tables.ts';
import type { Position } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../record.ts';
import { compareTable, type TableComparison } from './compare.ts';
import type { KnownProjection } from './known.ts';
import { LiveTables } from './live-tables.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

export interface VerifiedProjection {
  readonly name: string;
  readonly file: string;
  /** Of the tables, `null` where there are none; `expected`: of this release. */
  readonly version: number | null;
  readonly expected: number;
  /** Up to here the record was looked at. */
  readonly position: string | null;
  readonly tables: readonly TableComparison[];
}

/** Events in one transaction. */
const BATCH = 1_000;
/** How often the live tables may move on meanwhile; then they are held while the last events are caught up with. */
const TRIES = 5;
/** A text may be erased already of which the live tables have not heard: what differs is looked at again. */
const LOOKS = 3;
const PAUSE_MS = 200;

/**
 * Builds the tables again, up to exactly where the live ones are, and compares row by row. What was built is gone
 * afterwards. `onEvents` hears how many events were looked at.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`: the record, the tables, or a key of what is written in them, is not at hand.
 */
export async function verifyProjection(
  { projection, file }: KnownProjection,
  record: OpenRecord,
  onEvents: (events: number) => void,
): Promise<VerifiedProjection> {
  const { name, version: expected } = projection;
  const none = { name, file, version: null, expected, position: null, tables: [] };
  if (!existsSync(file)) return none;
  const live = new LiveTables(file, name);
  try {
    const head = live.head();
    if (head === null) return none;
    const { version, position } = head;
    if (version !== expected) return { ...none, version, position };
    return await inTemporaryFolder(async (folder) => {
      const copy = join(folder, 'tables.db');
      const rebuilt = new Rebuilt(copy, projection, record, onEvents);
      try {
        for (let tries = 0; tries < TRIES; tries++) await rebuilt.catchUp(live.head()!.position);
        let found = await compare(live, rebuilt);
        for (let looks = 1; looks < LOOKS && isDifferent(found); looks++) {
          await delay(PAUSE_MS);
          found = await compare(live, rebuilt);
        }
        return { name, file, version, expected, ...found };
      } finally {
        rebuilt.close();
      }
    });
  } finally {
    live.close();
  }
}

type Compared = Pick<VerifiedProjection, 'position' | 'tables'>;

const isDifferent = ({ tables }: Compared): boolean => tables.some(({ different }) => different > 0);

/** The live tables stand still meanwhile, as they are seen from here. */
function compare(live: LiveTables, rebuilt: Rebuilt): Promise<Compared> {
  return live.still(async () => {
    const { position, tables } = live.head()!;
    await rebuilt.catchUp(position);
    return { position, tables: rebuilt.compare(live, tables) };
  });
}

/** The tables of a projection, made of the record. */
class Rebuilt {
  readonly #file: string;
  readonly #projection: Projection;
  readonly #record: OpenRecord;
  readonly #onEvents: (events: number) => void;
  readonly #tables: ProjectionTables;
  #batch: { readonly event: DomainEvent<string, unknown>; readonly place: Place }[] = [];

  constructor(file: string, projection: Projection, record: OpenRecord, onEvents: (events: number) => void) {
    this.#file = file;
    this.#projection = projection;
    this.#record = record;
    this.#onEvents = onEvents;
    this.#tables = new ProjectionTables(file, projection);
  }

  /** Takes in what happened up to a position, and not what came after. */
  async catchUp(position: Position | ''): Promise<void> {
    const { store, codec } = this.#record;
    const { types } = this.#projection;
    const after = this.#tables.position;
    if (position === '' || position <= after) return;
    const events = store.readAll({ after: after === '' ? undefined : after, types });
    for await (const recorded of events) {
      if (recorded.position > position) break;
      const event = await codec.decode(recorded);
      if (event === undefined) continue;
      assertOpen(event);
      this.#batch.push({ event, place: recorded });
      if (this.#batch.length >= BATCH) this.#flush(recorded.position);
    }
    this.#flush(position);
  }

  compare(live: LiveTables, tables: readonly string[]): TableComparison[] {
    const fresh = new LiveTables(this.#file, this.#projection.name);
    try {
      return tables.map((table) => compareTable(table, live, fresh));
    } finally {
      fresh.close();
    }
  }

  close(): void {
    this.#tables.close();
  }

  #flush(position: Position): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#tables.advance(position, () => {
      for (const { event, place } of batch) this.#projection.apply(this.#tables, event, place);
    });
    this.#onEvents(batch.length);
  }
}

function assertOpen({ isSealed }: DomainEvent<string, unknown>): void {
  if (isSealed !== true) return;
  throw new BelegError('STORE_UNAVAILABLE', {
    detail: 'the encryption keys of the text are not available here, so tables with text cannot be built',
  });
}
