import { createActor, fromPromise } from 'xstate';
import { startedAt } from '../../actors/lifecycle.ts';
import {
  updateMachine,
  type RecordedUpdate,
  type UpdateActor,
  type UpdateRequest,
} from '../../actors/market-update/machine.ts';
import {
  initialState,
  type TickerResult,
  type UpdateCommand,
  type UpdateState,
} from '../../actors/market-update/update.ts';
import { MARKET } from '../../actors/streams/models.ts';
import { marketStream } from '../../events/catalog/market.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { deterministicId } from '../../events/json.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { stateHashOf, type StateHashes } from '../foundation/streams/state-hashes.ts';
import { systemClock } from '../foundation/clock.ts';
import { whileAway } from '../foundation/streams/append.ts';
import { StreamWriters } from '../foundation/streams/writers.ts';
import { LAST_DATE } from './bar-tables.ts';
import { importTicker } from './import-ticker.ts';
import { tellsLostRows } from './sources/lost-rows.ts';
import type { BarSource } from './sources/source.ts';
import type { MarketStore } from './store.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';

interface UpdaterOptions extends Pick<ServiceParts, 'store' | 'codec' | 'logger' | 'now' | 'actors'> {
  readonly market: MarketStore;
  readonly source: BarSource;
  /** Called if another process has taken over. */
  readonly onFenced: () => void;
}

interface Current {
  readonly id: string;
  readonly version: string | null;
  readonly started: PromiseWithResolvers<void>;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Runs updates: one at a time, with every step on record. The file names an update before it starts, so that the
 * process that opens the file after a crash resumes it.
 */
export function marketUpdater(options: UpdaterOptions) {
  const { store, codec, market, source, logger, now, actors, onFenced: onLost } = options;
  const closing = new AbortController();
  /** Notes on rows that were left out, which are logged once although each update reads all tables again. */
  const told = new Set<string>();
  /** The running update, or the last one. */
  let current: Current | null = null;
  let actor: UpdateActor | null = null;
  let isRunning = false;
  /** Whether the update that the file names may be unfinished on record. */
  let isUnsure = true;
  // The writers fail at once while the store is away, because the machine retries by itself.
  const writers = new StreamWriters(MARKET, { store, codec, now, context: undefined, hasty: true, onLost });
  const machine = updateMachine.provide({
    actors: {
      update: fromPromise(({ input: { request, ticker }, signal }) =>
        importTicker(
          { store: market, source, now },
          { ticker, updateId: request.updateId, full: request.full },
          signal,
        ),
      ),
      record: fromPromise(({ input }) => step(input.request, input.command)),
    },
  });

  /** Starts the machine in the recorded state. */
  function run(update: RecordedUpdate): void {
    const options = { input: update, clock: actors.clock };
    const started = createActor(startedAt(machine, update.state.status), options);
    actor = actors.host(started, {
      kind: 'market-update',
      id: update.request.updateId,
    });
    actor.on('started', () => current?.started.resolve());
    actor.on('rejected', ({ error }) => current?.started.reject(error));
    actor.on('finished', finish);
    actor.on('fenced', ({ error }) => {
      current?.started.reject(error);
      logger.warn({ err: error }, 'another process is updating the market data');
      end();
    });
    actor.start();
  }

  /** Runs an update whose caller was told that it has not begun, if its start turns out to be recorded. */
  function resumeOnceOnRecord(updateId: string): void {
    const { signal } = closing;
    const unfollow = writers.of(marketStream(updateId)).follow(() => {
      unfollow();
      whileAway(resume, { clock: systemClock, signal }).catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ err: error }, 'the market update could not be resumed');
      });
    });
  }

  async function step(request: UpdateRequest, command: UpdateCommand): Promise<UpdateState> {
    const { updateId, correlationId, callId, traceparent } = request;
    if (command.type === 'record-ticker') tellLostRows(command.ticker, command.result);
    if (command.type === 'record-ticker' && command.result.status === 'failed') {
      const { ticker } = command;
      const { faults } = command.result;
      logger.warn(
        { ticker, faults: faults.length, first: faults[0] },
        'a ticker could not be updated: what was read of it before, if anything was, stays',
      );
      market.fail(ticker, faults, { updateId, at: now().toISOString() });
    }
    try {
      const writer = writers.of(marketStream(updateId));
      await writer.submit(command, {
        correlationId,
        callId,
        ...(traceparent === undefined ? {} : { trace: { traceparent } }),
      });
      return writer.state;
    } catch (error) {
      logger.warn({ err: error }, 'a step of the market update could not be recorded');
      throw error;
    }
  }

  function tellLostRows(ticker: string, result: TickerResult): void {
    const notes = result.status === 'updated' ? result.warnings.map(({ detail }) => detail) : [];
    for (const note of notes.filter(tellsLostRows)) {
      if (!told.has(note)) logger.warn({ ticker, rows: note }, 'rows of a table are left out');
      told.add(note);
    }
  }

  /** Reads the update from the record, after the last attempt to write has been settled. */
  async function read(updateId: string): Promise<RecordedUpdate> {
    const callId = deterministicId(updateId, 'resumed');
    const stream = marketStream(updateId);
    const writer = await writers.open(stream);
    const state = await writer.read((read) => read);
    let correlationId = updateId;
    for await (const { metadata } of store.readStream(stream, { limit: 1 })) {
      correlationId = metadata.$correlationId;
    }
    const tickers = state.status === 'running' ? state.remaining : [];
    return { request: { updateId, source: source.name, tickers, full: true, correlationId, callId }, state };
  }

  function begin(id: string, version: string | null): Current {
    const started = Promise.withResolvers<void>();
    // An update that is resumed after a crash has no caller that waits for it.
    started.promise.catch(() => undefined);
    isRunning = true;
    return (current = { id, version, started, done: Promise.withResolvers<void>() });
  }

  function end(): void {
    isRunning = false;
    current?.done.resolve();
  }

  /** Shows the new data to readers, all at once. */
  function finish(): void {
    const { id, version } = current!;
    try {
      market.setNotes({
        update: null,
        updated_at: now().toISOString(),
        complete_until: market.read((bars) => bars.dateBack(LAST_DATE, 0)),
        ...(version === null ? {} : { version }),
      });
      logger.info({ update_id: id }, 'market update finished');
    } catch (error) {
      logger.error({ err: error }, 'the end of the market update could not be recorded');
    }
    end();
  }

  /** Resumes an interrupted update; false if there is none. Rejects if the record cannot be read. */
  async function resume(): Promise<boolean> {
    // The file may be closed by now.
    if (closing.signal.aborted) throw new BelegError('SERVICE_UNAVAILABLE');
    const updateId = market.note('update');
    if (updateId === null) return false;
    const unfinished = await read(updateId);
    if (closing.signal.aborted || isRunning) return isRunning;
    if (unfinished.state.status === 'idle') {
      market.setNotes({ update: null });
      return false;
    }
    begin(updateId, null).started.resolve();
    logger.info({ update_id: updateId }, 'market update resumed');
    run(unfinished);
    return true;
  }

  return {
    get running(): boolean {
      return isRunning;
    },
    /** The state hash of the update that is running, or that ran last. */
    stateHashes(): StateHashes {
      if (actor === null) return {};
      const { state, request } = actor.getSnapshot().context;
      return state.status === 'idle' ? {} : stateHashOf(marketStream(request.updateId), state);
    },
    /** Resolves when the running update is over, at once if there is none. Never rejects. */
    async idle(): Promise<void> {
      if (isRunning) await current!.done.promise;
    },
    /**
     * Starts an update; resolves with its id once its start is on record. A repeated call gets the same update. With
     * `full`, all data of the source is fetched. `version` is stored as the version of the source's data when the
     * update is over.
     *
     * Rejects with `UPDATE_RUNNING`, or `STORE_UNAVAILABLE` if it cannot be recorded.
     */
    async start(
      { tickers, full, version }: { tickers: readonly string[]; full: boolean; version: string | null },
      { correlationId, callId, trace }: CallContext,
    ): Promise<string> {
      const updateId = deterministicId('market-update', callId);
      // An interrupted update, or one whose start was reported as failed, is finished first.
      if (isUnsure) await resume();
      isUnsure = false;
      if (current?.id === updateId) {
        await current.started.promise;
        return updateId;
      }
      if (isRunning) throw new BelegError('UPDATE_RUNNING');
      if (closing.signal.aborted) throw new BelegError('SERVICE_UNAVAILABLE');
      const previous = current;
      const begun = begin(updateId, version);
      try {
        market.setNotes({ update: updateId, tickers: JSON.stringify(tickers) });
        const request = { updateId, source: source.name, tickers, full, correlationId, callId };
        run({ request: { ...request, traceparent: trace?.traceparent }, state: initialState() });
        await begun.started.promise;
        logger.info(
          { update_id: updateId, source: source.name, tickers: tickers.length },
          'market update started',
        );
        return updateId;
      } catch (error) {
        isUnsure = isBelegError(error, 'STORE_UNAVAILABLE');
        end();
        current = previous;
        if (isUnsure) resumeOnceOnRecord(updateId);
        begun.started.reject(error);
        throw error;
      }
    },
    resume,
    /** Leaves a running update as it is; the next process that opens the file resumes it. */
    async close(): Promise<void> {
      closing.abort();
      actor?.stop();
      current?.started.reject(new BelegError('SERVICE_UNAVAILABLE'));
      await writers.close();
      end();
    },
  };
}

export type Updater = ReturnType<typeof marketUpdater>;
