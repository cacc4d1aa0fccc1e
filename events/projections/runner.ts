import { BelegError } from '../errors.ts';
import { inTime } from '../timeout-and-abort.ts';
import { FILE_MOVED, unavailable } from '../sqlite/faults.ts';
import { whenVanished } from '../sqlite/file-place.ts';
import { openRebuildable, takeAwayIfDamaged } from '../sqlite/rebuildable.ts';
import type { Follower } from '../store/followers-behind.ts';
import { originReader } from '../store/origin.ts';
import { hasPlace, type Position } from '../store/store.ts';
import { isTransient, pipelineOf, type Pipeline } from './pipeline.ts';
import type { ProjectionOptions, ProjectionStatus } from './projection.ts';
import { discardRebuild, pause, startRebuild, type Rebuild } from './rebuild.ts';
import { ProjectionTables, TablesMoved } from './tables.ts';

/**
 * The number of attempts to swap in new tables while the old ones are kept up to date. With the pauses they take half a
 * minute.
 */
const SWAP_ATTEMPTS = 30;

/**
 * Opens the projection's tables and keeps them up to date until `stop()`. Tables of another version stay readable as
 * they are, until new tables have been built beside them and are swapped in. Rejects with `STORE_UNAVAILABLE`.
 *
 * @example
 * const audit = startProjection({ store, codec, projection: auditProjection, file: 'data/audit.db' });
 * await audit.waitFor(appended.position, { timeoutMs: 2000 });
 */
export function startProjection(options: ProjectionOptions): ProjectionRunner {
  try {
    discardRebuild(options);
    const { file, projection } = options;
    return new ProjectionRunner(
      options,
      openRebuildable(options, () => new ProjectionTables(file, projection)),
    );
  } catch (cause) {
    throw unavailable(cause, options.file);
  }
}

export class ProjectionRunner {
  readonly #options: ProjectionOptions;
  readonly #tables: ProjectionTables;
  readonly #live: Pipeline;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #rebuilding: Promise<void> | undefined;
  #rebuild: Rebuild | undefined;
  #holding: Promise<unknown> | undefined;
  #paused = false;
  /** Whether the tables contain events that are not in the record. */
  #lost = false;
  readonly #readOrigin: () => Promise<string | undefined>;
  /** Resolves when the rows or the state have changed. */
  #changed = Promise.withResolvers<void>();
  #state: ProjectionStatus['state'] = 'catching-up';
  #error: unknown;

  constructor(options: ProjectionOptions, tables: ProjectionTables) {
    this.#options = options;
    this.#tables = tables;
    this.#readOrigin = originReader(options.store);
    this.#live = pipelineOf({
      ...options,
      tables,
      onProgress: ({ caughtUp }) => {
        this.#setState(caughtUp ? 'live' : 'catching-up');
        this.#tellChanged();
      },
    });
    const { onVanished } = options;
    if (onVanished !== undefined) {
      const endLook = whenVanished(() => tables.isInPlace && isWhole(tables), onVanished);
      this.#stopping.signal.addEventListener('abort', endLook);
    }
    if (tables.isCurrent) this.#running = this.#runLive();
    else void this.#rebuildByItself();
  }

  status(): ProjectionStatus {
    return {
      name: this.#options.projection.name,
      state: this.#state,
      position: this.#tables.position,
      setAside: this.#tables.setAsideCount,
      error: this.#error,
    };
  }

  /**
   * This projection as a follower: which events it needs, and the last one in its rows. Health compares these with the
   * record.
   */
  follower(): Follower {
    const { name, types } = this.#options.projection;
    return {
      name,
      types,
      delivered: () => this.#live.delivered,
      // The projection starts again: it reads the record, and builds the tables anew.
      onLostPlace: () => void (this.#lost || this.#live.stop()),
      onOrigin: (origin) => this.#meet(origin),
    };
  }

  /** Handles a record that is seen for the first time, or that has replaced the one whose events are in the rows. */
  #meet(origin: string): void {
    if (!this.#isCarriedOn || this.#paused || this.#tables.origin === origin) return;
    if (this.#tables.origin === undefined) return this.#keepOrigin(origin);
    if (this.#state === 'failed') {
      this.#setState('catching-up');
      this.#running = this.#runLive();
      return;
    }
    void this.#live.stop();
  }

  #keepOrigin(origin: string): void {
    try {
      this.#tables.keepOrigin(origin);
    } catch (error) {
      // A passing fault is ignored: the origin is noted the next time.
      if (!isTransient(error)) throw error;
    }
  }

  /**
   * Resolves when the rows contain everything up to `position`, so that a caller can read its own write. Rejects with
   * `DEADLINE_EXCEEDED`, or `SERVICE_UNAVAILABLE` when the projection has failed or is stopped.
   */
  async waitFor(position: Position, { timeoutMs }: { timeoutMs: number }): Promise<void> {
    const reach = async (): Promise<void> => {
      while (!this.#holds(position)) {
        if (this.#state === 'failed' || this.#state === 'stopped') throw this.#notRunning();
        await this.#changed.promise;
      }
    };
    await inTime(reach(), timeoutMs, () => new BelegError('DEADLINE_EXCEEDED'));
  }

  /**
   * Builds the tables again from the first event in another file, while the old tables are kept up to date and can be
   * read; then swaps them in one transaction. If this fails, it rejects with the `ProjectionError` or fault, and the
   * old tables stay.
   */
  rebuild(): Promise<void> {
    this.#rebuilding ??= this.#buildAndSwap().finally(() => (this.#rebuilding = undefined));
    return this.#rebuilding;
  }

  /**
   * Runs `work` while nothing is written to the file: after a running rebuild, and before the next one. Events of that
   * time are projected afterwards.
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    while (this.#rebuilding !== undefined || this.#holding !== undefined) {
      await Promise.allSettled([this.#rebuilding, this.#holding]);
    }
    if (this.#stopping.signal.aborted) throw this.#notRunning();
    const held = this.#holdWhile(work).finally(() => (this.#holding = undefined));
    this.#holding = held;
    return held;
  }

  /** Finishes the present transaction, then closes. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    await Promise.all([this.#live.stop(), this.#rebuild?.stop()]);
    await Promise.allSettled([this.#running, this.#rebuilding, this.#holding]);
    this.#setState('stopped');
    this.#tellChanged();
    this.#tables.close();
  }

  async #runLive(): Promise<void> {
    const { signal } = this.#stopping;
    let isMoved = false;
    while (!signal.aborted && !this.#paused) {
      try {
        if (isMoved) {
          this.#tables.reload();
          this.#live.replaced();
          isMoved = false;
        }
        if (!this.#tables.isCurrent || !(await this.#standsInRecord())) {
          if (this.#lost) this.#setState('catching-up');
          void this.#rebuildByItself();
          return;
        }
        // If the projection was stopped while the record was read, nothing must be started.
        if (signal.aborted || this.#paused) return;
        await this.#live.run();
      } catch (error) {
        if (signal.aborted) return;
        if (this.#isRemovedAsDamaged(error)) return;
        if (!isTransient(error)) {
          this.#setState('failed', error);
          this.#tellChanged();
          return;
        }
        // A new holder of the lease continues where the previous one stopped, as soon as that one no longer writes.
        isMoved ||= error instanceof TablesMoved;
        this.#setState('waiting', error);
        await pause(this.#options, signal);
      }
    }
  }

  /** Rebuilds without a caller, so a failure shows only in the status. */
  async #rebuildByItself(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      try {
        return await this.rebuild();
      } catch (error) {
        if (!(error instanceof TablesMoved) || signal.aborted) return;
        await pause(this.#options, signal);
        if (signal.aborted) return;
      }
    }
  }

  /**
   * Whether the tables are made from this record, and the record reaches their place. If not, it is another record or
   * an older backup, and the tables cannot be continued.
   */
  async #standsInRecord(): Promise<boolean> {
    const { position, origin: known } = this.#tables;
    if (position === '') {
      this.#lost = false;
    } else {
      const origin = await this.#readOrigin();
      this.#lost = !hasPlace(await this.#options.store.end(), position) || (known ?? origin) !== origin;
      if (!this.#lost && known === undefined && origin !== undefined) this.#keepOrigin(origin);
    }
    if (this.#lost) this.#options.onLostPlace?.(position as Position);
    return !this.#lost;
  }

  async #holdWhile<T>(work: () => Promise<T>): Promise<T> {
    this.#paused = true;
    try {
      await this.#live.stop();
      await this.#running;
      return await work();
    } finally {
      this.#goOn();
    }
  }

  #goOn(): void {
    if (!this.#paused || !this.#isCarriedOn) return;
    this.#paused = false;
    if (!this.#stopping.signal.aborted) this.#running = this.#runLive();
  }

  async #buildAndSwap(): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#holding !== undefined) {
      await this.#holding.catch(() => {});
      if (signal.aborted) throw this.#notRunning();
    }
    const rebuild = startRebuild(this.#options, signal);
    this.#rebuild = rebuild;
    try {
      await rebuild.catchUp('');
      // From here on the old rows do not change, so that the new rows can catch up.
      this.#paused = true;
      await this.#live.stop();
      await this.#running;
      await rebuild.catchUp(this.#isCarriedOn ? this.#tables.position : '');
      this.#assertInPlace();
      // If the old rows can still be used, only the caller is told of a failure. Otherwise nothing can go on without
      // the new rows.
      await rebuild.swap(
        (attempts) => this.#tables.isInPlace && (!this.#isCarriedOn || attempts < SWAP_ATTEMPTS),
      );
      this.#assertInPlace();
      this.#tables.reload();
      this.#live.replaced();
      this.#lost = false;
    } catch (error) {
      if (signal.aborted) throw this.#notRunning();
      if (!this.#isRemovedAsDamaged(error) && !this.#isCarriedOn) {
        this.#setState('failed', error);
        this.#tellChanged();
      }
      throw error;
    } finally {
      this.#rebuild = undefined;
      rebuild.close();
      this.#goOn();
    }
    this.#tellChanged();
  }

  /**
   * Removes the file if the fault says that it is damaged. `onVanished` follows, and everybody who has the file open
   * opens it again.
   */
  #isRemovedAsDamaged(error: unknown): boolean {
    if (this.#options.onVanished === undefined || !takeAwayIfDamaged(this.#options, error)) return false;
    this.#setState('waiting', error);
    return true;
  }

  /** Checks that the tables' file is still at its path. Otherwise writes would go to a file that no reader uses. */
  #assertInPlace(): void {
    if (!this.#tables.isInPlace)
      throw unavailable({ message: 'removed', code: FILE_MOVED }, this.#options.file);
  }

  #setState(state: ProjectionStatus['state'], error?: unknown): void {
    this.#error = error;
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onState?.(this.status());
  }

  #holds(position: Position): boolean {
    return this.#isCarriedOn && this.#tables.position >= position;
  }

  /** Whether the tables can be continued, because they have this version and belong to this record. */
  get #isCarriedOn(): boolean {
    return this.#tables.isCurrent && !this.#lost;
  }

  #tellChanged(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #notRunning(): BelegError {
    return new BelegError('SERVICE_UNAVAILABLE', { detail: 'the projection is not running' });
  }
}

/** Whether the tables are whole. If the disk fails, the writer will notice. */
function isWhole(tables: ProjectionTables): boolean {
  try {
    return tables.isWhole;
  } catch {
    return true;
  }
}
