import type { Logger } from 'pino';
import { AnswerGiven, AskFailed, QuestionAsked } from '../../events/catalog/knowledge.ts';
import type { Codec, DomainEvent, EventOf } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { deterministicId } from '../../events/json.ts';
import type { EventStore, NewEvent } from '../../events/store/store.ts';
import { makeKey, ownKey } from '../../events/vault/own-key.ts';
import type { ASK } from '../../actors/streams/knowledge.ts';
import type { AuditLines } from '../foundation/audit-lines.ts';
import type { WritersOf } from '../foundation/streams/writers.ts';
import type { Spool, SpoolEntry } from '../foundation/spool.ts';
import { noOtherSpools, type HeldSpool, type OtherSpools, type OwnedFigures } from './spool-slots.ts';

interface RecorderOptions {
  /** The name of this process. */
  instance: string;
  store: EventStore;
  codec: Codec;
  spool: Spool;
  /** The spools of dead processes, whose entries are delivered from here. */
  others?: OtherSpools;
  asks: WritersOf<typeof ASK>;
  lines: AuditLines;
  logger: Logger;
  /** Milliseconds between two deliveries from the spools, and between two searches for spools of dead processes. */
  retryMs?: number;
}

type Event = DomainEvent<string, unknown>;

/**
 * What became of events. `stored` and `spooled` (waiting for the store) are durable. Events are not kept if they are
 * `lost`, if the text of their request is `erased`, or if they are `repeated`: another attempt of the call has its end
 * on record.
 */
export type RecordOutcome = 'stored' | 'spooled' | 'lost' | 'erased' | 'repeated';

type Conclusion = EventOf<typeof AnswerGiven> | EventOf<typeof AskFailed>;

/** The events that end an ask. */
const CONCLUSIONS: ReadonlySet<string> = new Set([AnswerGiven.type, AskFailed.type]);

/** The number of newest events of a request id among which other questions are searched for. */
const MAX_READ_BACK = 1_000;

/** The most damaged lines of a spool that the log names one by one. */
const MAX_NAMED = 20;

/** The most appends from a spool at the same time. */
const BATCH = 64;

/**
 * Records events and never fails: in the store, otherwise in the spool, otherwise the loss is counted. While anything
 * is spooled, all events go through the spool, so that each stream keeps its order. If the key of a text is
 * unavailable, the text waits in the spool under a new key that is kept with it.
 *
 * At the start and later, it also takes over the spools of dead processes.
 */
export function recorderOf(options: RecorderOptions) {
  const {
    store,
    codec,
    spool,
    others = noOtherSpools(options.instance),
    asks,
    lines,
    logger,
    retryMs = 1000,
  } = options;
  const held: HeldSpool[] = [{ owner: others.owner, spool, release: () => spool.close() }];
  let elsewhere: readonly OwnedFigures[] = [];
  /** Whether events are being lost: since the last loss none could be stored or spooled. */
  let losing = false;
  /** Whether the store could not be reached. Until it can, events go to the spool without trying the store. */
  let isAway = false;
  /** Whether the vault could not be reached. Deliveries from the spool find out when it can. */
  let areKeysAway = false;
  /** Entries that were encrypted again. They are kept so that a retry sends identical bytes. */
  const sealedAnew = new WeakMap<SpoolEntry, readonly NewEvent[]>();
  let delivering: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  function tellDamage({ damage: { file, kept, lines } }: Spool): void {
    if (lines.length === 0) return;
    logger.error(
      { file, damaged: lines.length, lines: lines.slice(0, MAX_NAMED), kept },
      'lines of a spool cannot be read, and their events are lost; before the spool is emptied, their bytes are added to the file named in `kept`',
    );
  }

  const waiting = (): number => held.reduce((sum, { spool: { size } }) => sum + size, 0);
  const lost = (): number => held.reduce((sum, each) => sum + each.spool.lost, 0);

  async function keep(entry: SpoolEntry): Promise<boolean> {
    try {
      await spool.push(entry);
      losing = false;
      deliverLater();
      return true;
    } catch (error) {
      logger.error({ err: error, stream: entry.stream }, 'the spool cannot keep the events either');
      return false;
    }
  }

  function deliver(): Promise<void> {
    delivering ??= deliverAll().finally(() => {
      delivering = undefined;
      deliverLater();
    });
    return delivering;
  }

  async function deliverAll(): Promise<void> {
    // A process that loses events may get no work, and would then not notice that there is room again.
    if (losing && (await spool.hasRoom())) losing = false;
    await look().catch((error: unknown) =>
      logger.warn({ err: error }, 'the spools of other processes cannot be read'),
    );
    if (isAway) {
      try {
        await store.ping();
        isAway = losing = false;
      } catch (error) {
        if (waiting() > 0) logger.warn({ err: error, waiting: waiting() }, 'events still cannot be stored');
        return;
      }
    }
    for (const each of held.slice()) {
      await drain(each.spool);
      // The spool of this process itself is closed at the end.
      if (each.spool !== spool && each.spool.size === 0) await giveBack(each);
    }
  }

  /** Delivers many streams at once, each in its order, until nothing waits or nothing can be stored. */
  async function drain(from: Spool): Promise<void> {
    let stored = 0;
    while (from.size > 0 && !closing.signal.aborted) {
      const streams = Map.groupBy(from.first(BATCH), ({ stream }) => stream);
      const delivered = await Promise.all(
        [...streams.values()].map((entries) => deliverInTurn(entries, from)),
      );
      const done = delivered.flatMap(({ done }) => done);
      // One line for each reason: all streams fail together where the store or the keys are away.
      const reasons = new Map(
        delivered.flatMap(({ away }) =>
          away === undefined ? [] : [[away instanceof Error ? away.message : away, away]],
        ),
      );
      for (const away of reasons.values())
        logger.warn({ err: away, waiting: from.size - done.length }, 'events still cannot be stored');
      stored += done.reduce((sum, { events }) => sum + events.length, 0);
      if (done.length === 0) break;
      try {
        await from.remove(done);
      } catch (error) {
        // The entry is gone from memory but not from the file; the next start finds it in the store and drops it.
        logger.warn({ err: error }, 'the spool could not be emptied');
      }
    }
    if (stored > 0) logger.info({ delivered: stored }, 'events from the spool were stored');
  }

  /** Delivers the entries that do not have to wait any longer; `away` is why the others do. */
  async function deliverInTurn(
    entries: readonly SpoolEntry[],
    from: Spool,
  ): Promise<{ done: SpoolEntry[]; away?: unknown }> {
    const done: SpoolEntry[] = [];
    for (const entry of entries) {
      try {
        await append(await withItsKey(entry));
      } catch (error) {
        if (!isHopeless(error)) return { done, away: error };
        logger.error(
          { err: error, stream: entry.stream },
          'an append from the spool can never be stored; it is dropped',
        );
        await lose(entry.stream, entry.events.length, from);
      }
      done.push(entry);
    }
    return { done };
  }

  /**
   * Encrypts an entry with the key of its request, in place of the key under which it has waited. Text that was erased
   * meanwhile is dropped.
   */
  async function withItsKey(entry: SpoolEntry): Promise<SpoolEntry> {
    const { stream, key } = entry;
    if (key === undefined) return entry;
    let events = sealedAnew.get(entry);
    if (events === undefined) {
      const own = ownKey(Buffer.from(key, 'base64'));
      events = await Promise.all(entry.events.map((event) => codec.sealAnew(event, own)));
      sealedAnew.set(entry, events);
      areKeysAway = false;
    }
    return { stream, events };
  }

  /** Each event is recorded once, even if an earlier append succeeds late or another process delivers it too. */
  async function append({ stream, events }: SpoolEntry) {
    const { $correlationId: correlationId, $causationId: callId } = events[0]!.metadata;
    // If another attempt of the call has its end on record, this attempt is dropped.
    const ends = [...CONCLUSIONS].map((type) => deterministicId(stream, callId, type, 0));
    try {
      const recorded = await asks.of(stream).append(events, { correlationId, callId }, ends);
      losing = isAway = false;
      return recorded;
    } catch (error) {
      if (isBelegError(error, 'STORE_UNAVAILABLE')) isAway = true;
      throw error;
    }
  }

  /** Encrypts events with the key of their request, or with a new key if that one is unavailable. */
  async function seal(events: readonly Event[]): Promise<Omit<SpoolEntry, 'stream'>> {
    const hasText = events.some(({ metadata }) => metadata.key !== undefined);
    if (!hasText || !areKeysAway) {
      try {
        return { events: await Promise.all(events.map((event) => codec.encode(event))) };
      } catch (error) {
        if (!isBelegError(error, 'STORE_UNAVAILABLE')) throw error;
        logger.warn(
          { err: error },
          'the key of a text cannot be had; it waits in the spool under another one',
        );
      }
    }
    const key = makeKey();
    const own = ownKey(key);
    return {
      events: await Promise.all(events.map((event) => codec.encode(event, own))),
      key: Buffer.from(key).toString('base64'),
    };
  }

  /** Takes over spools of dead processes and reads the figures of the others. Rejects with the disk's fault. */
  async function look(): Promise<void> {
    if (!others.keep())
      logger.error('another process has taken the slot of this one: do not remove files below DATA_DIR');
    for (const each of held) {
      await each.spool
        .check()
        .catch((error: unknown) => logger.warn({ err: error }, 'the spool cannot be written'));
    }
    if (closing.signal.aborted) return;
    for (const adopted of await others.adopt()) {
      held.push(adopted);
      tellDamage(adopted.spool);
      logger.info(
        { waiting: adopted.spool.size },
        'a process has left events in its spool; they are delivered from here',
      );
    }
    elsewhere = await others.figures();
  }

  async function giveBack(each: HeldSpool): Promise<void> {
    held.splice(held.indexOf(each), 1);
    await each.spool
      .check()
      .catch((error: unknown) => logger.warn({ err: error }, 'the spool could not be emptied'));
    await each.release();
    elsewhere = await others.figures().catch(() => elsewhere);
  }

  function deliverLater(): void {
    if (closing.signal.aborted || timer !== undefined || delivering !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void deliver();
    }, retryMs);
    timer.unref();
  }

  async function lose(stream: string, count: number, from: Spool = spool): Promise<void> {
    losing = true;
    await from.lose(count);
    logger.error(
      { stream, count, lost: lost() },
      'events were lost: neither the store nor the spool could keep them',
    );
  }

  tellDamage(spool);
  deliverLater();
  return {
    /** Begins to create the key for these events, so that `record` need not wait for it. */
    prepare(events: readonly Event[]): void {
      if (areKeysAway) return;
      // `record` meets the same failure and handles it.
      for (const event of events) codec.encode(event).catch(() => undefined);
    },

    /** Appends the events at the stream's end, all or none. Never rejects. */
    async record(stream: string, events: readonly Event[]): Promise<RecordOutcome> {
      let entry: SpoolEntry | undefined;
      try {
        entry = { stream, ...(await seal(events)) };
        if (spool.size === 0 && !isAway && entry.key === undefined) {
          const recorded = await append(entry);
          if (recorded.some(({ type, repeated }) => repeated === true && CONCLUSIONS.has(type)))
            return 'repeated';
          for (const event of events) {
            const found = recorded.find(({ id, repeated }) => id === event.id && repeated !== true);
            if (found !== undefined) lines(event, found.revision);
          }
          return 'stored';
        }
      } catch (error) {
        if (isBelegError(error, 'REQUEST_ERASED')) return 'erased';
        logger.warn({ err: error, stream }, 'events cannot be stored right now; keeping them in the spool');
        // An append that can never succeed must not be spooled.
        if (isHopeless(error)) entry = undefined;
      }
      for (const event of events) lines(event, null);
      deliverLater();
      if (entry !== undefined && (await keep(entry))) {
        areKeysAway ||= entry.key !== undefined;
        return 'spooled';
      }
      await lose(stream, events.length);
      return 'lost';
    },

    /** The recorded end of an ask, of whichever attempt, to reply with. Rejects if it cannot be read. */
    async conclusionOf(stream: string, callId: string): Promise<Conclusion> {
      for await (const stored of store.readStream(stream, { direction: 'backwards' })) {
        if (stored.metadata.$causationId !== callId || !CONCLUSIONS.has(stored.type)) continue;
        return (await codec.decode(stored)) as Conclusion;
      }
      throw new BelegError('STREAM_CORRUPT');
    },

    /**
     * Whether another question was asked before under the request id of this question. `events` is the number of
     * recorded events of this question's ask. False if this cannot be read.
     */
    async isReused(question: EventOf<typeof QuestionAsked>, events: number): Promise<boolean> {
      const { stream, data, metadata } = question;
      // The stream has only the events of this ask.
      if (asks.of(stream).revision === BigInt(events - 1)) return false;
      let isBefore = false;
      try {
        for await (const stored of store.readStream(stream, {
          direction: 'backwards',
          limit: MAX_READ_BACK,
        })) {
          if (stored.type !== QuestionAsked.type) continue;
          if (stored.metadata.$causationId === metadata.$causationId) {
            isBefore = true;
            continue;
          }
          // A question that was recorded later was not there before, even if it was asked at the same time.
          if (!isBefore) continue;
          const { data: before } = (await codec.decode(stored)) as typeof question;
          if (before.question === null || data.question === null) continue;
          const isSame = (['question', 'mode', 'context'] as const).every(
            (field) => before[field] === data[field],
          );
          if (!isSame) return true;
        }
      } catch (error) {
        logger.warn({ err: error, stream }, 'what was asked before under this request id cannot be read');
      }
      return false;
    },

    /** The figures of this process: its own spool and those that it has taken over. */
    status: () => ({ spooled: waiting(), lost: lost(), losing }),

    /** All known spools, including those of other processes with the same `DATA_DIR`. */
    spools: (): readonly OwnedFigures[] => [
      ...held.map(({ owner, spool: { size, lost: count } }) => ({ owner, waiting: size, lost: count })),
      ...elsewhere,
    ],

    /**
     * Takes over spools of dead processes, and delivers until nothing waits or the store fails. Only one delivery runs
     * at a time.
     */
    deliver,

    /** Stops delivering; what is still spooled waits on disk for the next start or another process. */
    async close(): Promise<void> {
      closing.abort();
      clearTimeout(timer);
      await delivering;
      for (const each of held) await each.release();
    },
  };
}

export type Recorder = ReturnType<typeof recorderOf>;

/** Whether a retry can never succeed. */
function isHopeless(error: unknown): boolean {
  return isBelegError(error, 'APPEND_TOO_LARGE', 'STREAM_CORRUPT');
}
