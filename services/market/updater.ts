import { createActor, fromPromise } from 'xstate';
import { updateMachine, type Unfinished, type UpdateRequest } from '../../actors/market-update/machine.ts';
import type { UpdateCommand, UpdateState } from '../../actors/market-update/update.ts';
import { MARKET } from '../../actors/streams/models.ts';
import { marketStream } from '../../events/catalog/market.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { deterministicId } from '../../events/json.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { stateHashOf, type StateHashes } from '../state-hashes.ts';
import { systemClock } from '../clock.ts';
import { whileAway } from '../streams/append.ts';
import { StreamWriters, type WritersOf } from '../streams/writers.ts';
import { LAST_DATE } from './bars.ts';
import { importTicker } from './import.ts';
import type { BarSource } from './sources/source.ts';
import type { MarketStore } from './store.ts';
import type { ServiceParts } from '../service-parts.ts';

interface UpdaterOptions extends Pick<ServiceParts, 'store' | 'codec' | 'logger' | 'now'> {
  readonly market: MarketStore;
  readonly source: BarSource;
  /** Another process has taken over. */
  readonly onFenced: () => void;
}

interface Current {
  readonly id: string;
  readonly version: string | null;
  readonly started: PromiseWithResolvers<void>;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Runs the update machine: one update at a time, every step on record. Which update runs is noted in the market's file
 * before it starts, so that the process that opens the file after a crash goes on with it.
 */
export class Updater {
  readonly #options: UpdaterOptions;
  readonly #writers: WritersOf<typeof MARKET>;
  readonly #actor;
  readonly #closing = new AbortController();
  /** The update that runs, or ran last. */
  #current: Current | null = null;
  #running = false;
  /** The update that is noted may be on record, and not at its end. */
  #isUnsure = true;

  constructor(options: UpdaterOptions) {
    this.#options = options;
    const { store, codec, now, onFenced: onLost } = options;
    // The machine tries again itself.
    this.#writers = new StreamWriters(MARKET, { store, codec, now, context: undefined, hasty: true, onLost });
    this.#actor = createActor(
      updateMachine.provide({
        actors: {
          update: fromPromise(({ input: { request, ticker }, signal }) =>
            importTicker(
              { store: options.market, source: options.source, now: options.now },
              { ticker, updateId: request.updateId, full: request.full },
              signal,
            ),
          ),
          record: fromPromise(({ input }) => this.#step(input.request, input.command)),
        },
      }),
    );
    this.#actor.on('started', () => this.#current?.started.resolve());
    this.#actor.on('rejected', ({ error }) => this.#current?.started.reject(error));
    this.#actor.on('finished', () => this.#finish());
    this.#actor.on('fenced', ({ error }) => {
      this.#current?.started.reject(error);
      options.logger.warn({ err: error }, 'another process is updating the market data');
      this.#end();
    });
    this.#actor.start();
  }

  get running(): boolean {
    return this.#running;
  }

  /** Of the update that runs, or ran last. */
  stateHashes(): StateHashes {
    const { state, request } = this.#actor.getSnapshot().context;
    return state.status === 'idle' ? {} : stateHashOf(marketStream(request.updateId), state);
  }

  /** Resolves when the update that runs now is over; at once where none does. Never rejects. */
  async idle(): Promise<void> {
    if (this.#running) await this.#current!.done.promise;
  }

  /**
   * Starts an update; resolves with its id once its start is on record. The same call again is the same update.
   *
   * `full`: all that the source has. `version` is noted as the source's when the update is over.
   *
   * Rejects with `UPDATE_RUNNING`, or `STORE_UNAVAILABLE` when it cannot be recorded.
   */
  async start(
    { tickers, full, version }: { tickers: readonly string[]; full: boolean; version: string | null },
    { correlationId, callId, trace }: CallContext,
  ): Promise<string> {
    const updateId = deterministicId('market-update', callId);
    // One that a crash broke off, or whose start was told to have failed, goes first.
    if (this.#isUnsure) await this.resume();
    this.#isUnsure = false;
    if (this.#current?.id === updateId) {
      await this.#current.started.promise;
      return updateId;
    }
    if (this.#running) throw new BelegError('UPDATE_RUNNING');
    if (this.#closing.signal.aborted) throw new BelegError('SERVICE_UNAVAILABLE');
    const { market, source, logger } = this.#options;
    const previous = this.#current;
    const current = this.#begin(updateId, version);
    try {
      market.setNotes({ update: updateId, tickers: JSON.stringify(tickers) });
      const request = { updateId, source: source.name, tickers, full, correlationId, callId };
      this.#actor.send({ type: 'UPDATE', request: { ...request, traceparent: trace?.traceparent } });
      await current.started.promise;
      logger.info(
        { update_id: updateId, source: source.name, tickers: tickers.length },
        'market update started',
      );
      return updateId;
    } catch (error) {
      this.#isUnsure = isBelegError(error, 'STORE_UNAVAILABLE');
      this.#end();
      this.#current = previous;
      if (this.#isUnsure) this.#resumeOnceOnRecord(updateId);
      current.started.reject(error);
      throw error;
    }
  }

  /** Goes on with what a crash broke off; false where there is nothing. Rejects when the record cannot be read. */
  async resume(): Promise<boolean> {
    const { market, logger } = this.#options;
    // Its file may be closed by now.
    if (this.#closing.signal.aborted) throw new BelegError('SERVICE_UNAVAILABLE');
    const updateId = market.note('update');
    if (updateId === null) return false;
    const unfinished = await this.#read(updateId);
    if (this.#closing.signal.aborted || this.#running) return this.#running;
    if (unfinished.state.status === 'idle') {
      market.setNotes({ update: null });
      return false;
    }
    this.#begin(updateId, null).started.resolve();
    logger.info({ update_id: updateId }, 'market update resumed');
    this.#actor.send({ type: 'RESUME', ...unfinished });
    return true;
  }

  /** Its caller was told that it has not begun: where that gets on record all the same, it does not stay at that. */
  #resumeOnceOnRecord(updateId: string): void {
    const { logger } = this.#options;
    const { signal } = this.#closing;
    const unfollow = this.#writers.of(marketStream(updateId)).follow(() => {
      unfollow();
      whileAway(() => this.resume(), { clock: systemClock, signal }).catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ err: error }, 'the market update could not be resumed');
      });
    });
  }

  /** Leaves an update where it is: whoever opens the file next goes on with it. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#actor.stop();
    this.#current?.started.reject(new BelegError('SERVICE_UNAVAILABLE'));
    await this.#writers.close();
    this.#end();
  }

  async #step(request: UpdateRequest, command: UpdateCommand): Promise<UpdateState> {
    const { market, logger, now } = this.#options;
    const { updateId, correlationId, callId, traceparent } = request;
    if (command.type === 'RecordTicker' && command.result.status === 'failed') {
      const { ticker } = command;
      const { faults } = command.result;
      logger.warn({ ticker, faults: faults.length, first: faults[0] }, 'a ticker could not be updated');
      market.fail(ticker, faults, { updateId, at: now().toISOString() });
    }
    try {
      const writer = this.#writers.of(marketStream(updateId));
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

  /** As it is on record, once what was tried last is known. */
  async #read(updateId: string): Promise<Unfinished> {
    const { store, source } = this.#options;
    const callId = deterministicId(updateId, 'resumed');
    const stream = marketStream(updateId);
    const writer = await this.#writers.open(stream);
    const state = await writer.read((read) => read);
    let correlationId = updateId;
    for await (const { metadata } of store.readStream(stream, { limit: 1 })) {
      correlationId = metadata.$correlationId;
    }
    const tickers = state.status === 'running' ? state.remaining : [];
    return { request: { updateId, source: source.name, tickers, full: true, correlationId, callId }, state };
  }

  #begin(id: string, version: string | null): Current {
    const started = Promise.withResolvers<void>();
    // One that goes on after a crash has nobody who waits for it.
    started.promise.catch(() => undefined);
    this.#running = true;
    return (this.#current = { id, version, started, done: Promise.withResolvers<void>() });
  }

  #end(): void {
    this.#running = false;
    this.#current?.done.resolve();
  }

  /** Shows what is there now, all of it at once. */
  #finish(): void {
    const { market, logger, now } = this.#options;
    const { id, version } = this.#current!;
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
    this.#end();
  }
}
