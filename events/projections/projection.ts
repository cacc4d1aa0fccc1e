import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Codec, DomainEvent } from '../define.ts';
import type { Rebuildable } from '../sqlite/rebuildable.ts';
import type { EventStore, Position } from '../store/store.ts';

export type Row = Record<string, SQLOutputValue>;

/** The tables of one projection. A statement is prepared once for each text, so pass values as parameters. */
export interface Rows {
  run(sql: string, ...values: SQLInputValue[]): void;
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all(sql: string, ...values: SQLInputValue[]): Row[];
}

/** Adds a row, by the names of its columns. */
export function insert(rows: Rows, table: string, row: Readonly<Record<string, SQLInputValue>>): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?');
  rows.run(`INSERT INTO ${table} (${columns.join()}) VALUES (${places.join()})`, ...Object.values(row));
}

/** The position of an event in its stream and in the record. */
interface EventPosition {
  readonly revision: bigint;
  readonly position: Position;
}

/**
 * A projection: tables for a kind of look-up, made from events. They can be deleted and built again, so `apply` is a
 * pure function of the event and the projection's own rows.
 */
export interface Projection {
  readonly name: string;
  /**
   * The version of the tables. Raise it with every change of `tables` or `apply`: the next start then rebuilds the
   * tables.
   */
  readonly version: number;
  /** `CREATE TABLE`, `CREATE INDEX`, `CREATE VIEW`; no triggers. */
  readonly tables: string;
  /** The types of events that the projection needs. Absent if it needs all. */
  readonly types?: readonly string[];
  /**
   * Whether an event of this type that cannot be applied is set aside and counted. The tables then go on, and a rebuild
   * tries the event again. This suits tables for look-ups. If the function returns false or is absent, the tables stop
   * at the event, because decisions depend on them and need every event.
   */
  setsAside?(type: string): boolean;
  apply(rows: Rows, event: DomainEvent<string, unknown>, at: EventPosition): void;
}

/** An event that could not be applied to a projection. */
export class ProjectionError extends Error {
  /** The event's id, type, place and stream. */
  readonly event: SetAside;

  constructor({ id, type, position, stream }: SetAside, cause: unknown) {
    super(`cannot project ${type} ${id} at ${position}`, { cause });
    this.name = 'ProjectionError';
    this.event = { id, type, position, stream };
  }
}

/** An event that was set aside, as the tables note it: without its content. */
export interface SetAside {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly position: Position;
}

export interface ProjectionStatus {
  readonly name: string;
  /**
   * `waiting`: a disk or the store is away, and the projection tries again by itself. `failed`: an event cannot be
   * projected, and only a new version or a rebuild helps; the rows up to it stay readable.
   */
  readonly state: 'catching-up' | 'live' | 'waiting' | 'failed' | 'stopped';
  /** The rows contain everything up to here; empty before the first event. */
  readonly position: Position | '';
  /** How many events were set aside. */
  readonly setAside: number;
  /** Why the projection waits or failed. For logs, not for clients. */
  readonly error?: unknown;
}

export interface ProjectionOptions extends Pick<Rebuildable, 'isOwnFile' | 'onDamaged'> {
  store: EventStore;
  codec: Codec;
  projection: Projection;
  /** The SQLite file; several projections may share one. */
  file: string;
  /** Milliseconds between attempts while a disk or the store is away. */
  retryAfterMs?: number;
  /** Called, for the log, when the state changes. */
  onState?: (status: ProjectionStatus) => void;
  /**
   * Called when the file is missing or was replaced: this projection and all readers of the file have to open it again.
   */
  onVanished?: () => void;
  /** Called, for the log, for each event that is set aside. */
  onSetAside?: (error: ProjectionError) => void;
  /** Called, for the log, if the tables contain events that are not in the record. They are then built anew. */
  onLostPlace?: (place: Position) => void;
}
