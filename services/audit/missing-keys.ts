import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isBelegError } from '../../events/errors.ts';
import type { ProjectionRunner } from '../../events/projections/runner.ts';
import { unavailable } from '../../events/sqlite/faults.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import { sealedTextOf } from '../../events/define.ts';
import type { RecordReader } from '../../events/store/store.ts';
import type { KeyState, SealedText, Vault } from '../../events/vault/vault.ts';

/** The number of requests that are checked before a pause: a tenth of a second of work a second. */
const PAGE = 250;
/** The number that is checked in one go. */
const AT_ONCE = 25;
const PAGE_PAUSE_MS = 200;
/** The pause between two rounds over all requests. */
const ROUND_PAUSE_MS = 30_000;
/** How often it is looked whether the tables have caught up with the record, so that a round can begin. */
const LOOK_PAUSE_MS = 250;
/** The most requests that are named in the log. */
const NAMED = 20;

interface MissingKeysOptions {
  vault: Pick<Vault, 'stateOf'>;
  store: Pick<RecordReader, 'readStream'>;
  /** The audit tables. */
  file: string;
  projection: Pick<ProjectionRunner, 'status' | 'rebuild'>;
  logger: Logger;
  roundPauseMs?: number;
}

/**
 * Checks all requests with sealed text, round after round, and counts those whose key is missing although nobody erased
 * it, or is another one than their text was sealed with: text of each is tried. They are named in the log. It stops nothing.
 * Tables that have no text of a request whose key has come back are built anew.
 *
 * The requests are those of the tables, so it waits while the tables have not caught up: tables that are newer than a
 * restored record have requests that neither the record nor its keys know, and they are about to be made again.
 */
export function watchKeys({
  vault,
  store,
  file,
  projection,
  logger,
  roundPauseMs = ROUND_PAUSE_MS,
}: MissingKeysOptions) {
  const ending = new AbortController();
  const { signal } = ending;
  /** The number of missing keys found in the last complete round; `null` before there was one over the present tables. */
  let missing: number | null = null;
  /** Requests whose key was erased at the last check, although the tables have no request to erase it. */
  let emptied: ReadonlySet<string> = new Set();
  /** Requests whose key is there although the tables lack text of them, and for which they have been built anew. */
  const returned = new Set<string>();
  let isRebuilding = false;

  /** The requests without their key, and among them those that the tables can have again. */
  async function round(): Promise<{ found: string[]; back: string[] }> {
    const found: string[] = [];
    const back: string[] = [];
    const emptiedNow = new Set<string>();
    let after = '';
    for (;;) {
      const page = sealedRequests(file, after);
      const states: KeyState[] = [];
      while (states.length < page.length) {
        const some = page.slice(states.length, states.length + AT_ONCE);
        states.push(...(await Promise.all(some.map(stateOf))));
        await nextTurn();
      }
      for (const [i, { id, lost }] of page.entries()) {
        if (states[i] === 'missing' || (lost && states[i] === 'there')) found.push(id);
        if (lost && states[i] === 'there' && !returned.has(id)) back.push(id);
        if (states[i] !== 'erased') continue;
        emptiedNow.add(id);
        // An erasure removes the key first, so the tables may show it only in the next round.
        if (emptied.has(id)) found.push(id);
      }
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined) {
        emptied = emptiedNow;
        return { found, back };
      }
      after = last.id;
      await pause(PAGE_PAUSE_MS, undefined, { signal, ref: false });
    }
  }

  const stateOf = async (request: SealedRequest): Promise<KeyState> =>
    vault.stateOf(request.id, await textOf(store, request));

  /** Not awaited, because a stop must not wait for it. Why it failed shows in the state of the tables. */
  function rebuildFor(requests: readonly string[]): void {
    logger.info(
      { requests: requests.slice(0, NAMED) },
      'keys have come back: the tables are built anew with their text',
    );
    for (const id of requests) returned.add(id);
    isRebuilding = true;
    void projection
      .rebuild()
      .catch(() => undefined)
      .finally(() => (isRebuilding = false));
  }

  const isCaughtUp = (): boolean => !isRebuilding && projection.status().state === 'live';

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await count();
      await pause(isCaughtUp() ? roundPauseMs : LOOK_PAUSE_MS, undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  async function count(): Promise<void> {
    if (!isCaughtUp()) return;
    try {
      const { found, back } = await round();
      // What was read of tables that are no longer these says nothing.
      if (!isCaughtUp()) return;
      if (back.length > 0) return rebuildFor(back);
      if (found.length !== (missing ?? 0)) tell(found);
      missing = found.length;
    } catch (error) {
      if (!signal.aborted && !isBelegError(error, 'STORE_UNAVAILABLE')) {
        logger.warn({ err: error }, 'the keys of recorded text cannot be counted; trying again');
      }
    }
  }

  function tell(found: readonly string[]): void {
    if (found.length === 0) logger.info('all keys of recorded text are there again');
    else {
      logger.error(
        { requests: found.slice(0, NAMED), missing: found.length },
        'text on record cannot be opened any more: its key is missing or another one, and nobody erased it. Put the keys back from a backup, or erase these requests',
      );
    }
  }

  const watching = watch();
  return {
    get missing(): number | null {
      return missing;
    },
    async end(): Promise<void> {
      ending.abort();
      await watching;
    },
  };
}

interface SealedRequest {
  readonly id: string;
  /** Whether some of its text could not be opened when the tables took it. */
  readonly lost: boolean;
  /** The `comment_id` of its first comment. */
  readonly comment: number | null;
}

/** Text of the request on record: of its question, or of its first comment where it has no question. */
async function textOf(
  store: MissingKeysOptions['store'],
  { id, comment }: SealedRequest,
): Promise<SealedText | undefined> {
  const asked = await sealedTextAt(store, id, askStream(id), 0n);
  if (asked !== undefined || comment === null) return asked;
  return sealedTextAt(store, id, COMMENTS_STREAM, BigInt(comment) - 1n);
}

async function sealedTextAt(
  store: MissingKeysOptions['store'],
  key: string,
  stream: string,
  revision: bigint,
): Promise<SealedText | undefined> {
  for await (const event of store.readStream(stream, { from: revision, limit: 1 })) {
    if (event.metadata.key === key) return sealedTextOf(event);
  }
  return undefined;
}

/** @throws {BelegError} `STORE_UNAVAILABLE` */
function sealedRequests(file: string, after: string): SealedRequest[] {
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: 50 });
    const rows = db.prepare(
      `SELECT request_id, lost, (SELECT min(comment_id) FROM comments WHERE comments.request_id = requests.request_id) AS comment
       FROM requests
       WHERE erased_at IS NULL AND sealed = 1 AND request_id > ? ORDER BY request_id LIMIT ${PAGE}`,
    );
    return rows.all(after).map((row) => ({
      id: row['request_id'] as string,
      lost: row['lost'] === 1,
      comment: row['comment'] as number | null,
    }));
  } catch (error) {
    throw unavailable(error, file);
  }
}
