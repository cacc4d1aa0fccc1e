import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isBelegError } from '../../events/errors.ts';
import type { ProjectionRunner } from '../../events/projections/runner.ts';
import { readTables } from '../../events/sqlite/readable-file.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import { sealedTextOf } from '../../events/define.ts';
import type { RecordReader } from '../../events/store/store.ts';
import type { KeyState, SealedText, Vault } from '../../events/vault/vault.ts';

/** The number of requests that are checked before a pause, so that the checks take about a tenth of the time. */
const PAGE = 250;
/** The number of requests that are checked together. */
const AT_ONCE = 25;
const PAGE_PAUSE_MS = 200;
/** The pause between two rounds over all requests. */
const ROUND_PAUSE_MS = 30_000;
/** Milliseconds between two checks whether the tables have caught up with the record, so that a round can begin. */
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
 * Checks all requests with encrypted text, round after round, and counts those whose key is missing although nobody
 * erased it, or does not decrypt their text (one text of each is tried). The log names these requests, and the service
 * goes on. If a key has come back, tables that lack text of its request are built anew.
 *
 * The requests are read from the tables, so a round waits until the tables have caught up. After an older record was
 * restored, newer tables have requests that neither the record nor its keys know, and these tables are about to be
 * built anew.
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
  /** The number of missing keys in the last complete round; `null` before the first round over the present tables. */
  let missing: number | null = null;
  /** Requests whose key was found erased at the last check, although the tables do not show an erasure. */
  let emptied: ReadonlySet<string> = new Set();
  /**
   * Requests whose key is there although the tables lack text of them, and for which the tables have been built anew.
   */
  const returned = new Set<string>();
  let isRebuilding = false;

  /** One round: the requests without their key, and the requests whose text the tables can have again. */
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
        // An erasure removes the key first, so the tables may show the erasure only in the next round.
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

  /** Not awaited, because a stop must not wait for a rebuild. The state of the tables shows why it failed. */
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
      // If the tables were replaced meanwhile, the results do not count.
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
  /** Whether some of the request's text could not be decrypted when the tables took it. */
  readonly lost: boolean;
  /** The `comment_id` of the request's first comment; `null` if there is none. */
  readonly comment: number | null;
}

/** Text of the request on record: the question or, if there is none, the first comment. */
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

/**
 * A page of the requests with encrypted text.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
function sealedRequests(file: string, after: string): SealedRequest[] {
  return readTables(file, (db) => {
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
  });
}
