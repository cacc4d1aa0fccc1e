import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ErrorCode, NatsError, type JetStreamManager, type StreamConfig, type StreamInfo } from 'nats';

/** Milliseconds that another process is given to finish creating the same stream. */
const CREATION_MS = 4_000;
const CREATION_STEP_MS = 10;
/** Milliseconds to wait if this process may not create the stream, and the process that may has yet to start. */
const MAKER_MS = 30_000;
const MAKER_STEP_MS = 200;

/** The subjects of a wanted stream belong to another stream, which only an operator can change. */
export class SubjectsTaken extends Error {
  override readonly name = 'SubjectsTaken';
}

/**
 * Brings the stream into its wanted form. If there is none, it is created with `wanted` and `initially`; if it differs
 * from `wanted`, it is changed. Other settings of an operator stay, and so does everything that this user may not
 * change.
 *
 * @throws SubjectsTaken where another stream has its subjects
 */
export async function ensureStream(
  manager: JetStreamManager,
  wanted: Partial<StreamConfig> & { readonly name: string },
  initially: Partial<StreamConfig> = {},
): Promise<StreamInfo> {
  const made = await repeat(CREATION_MS, CREATION_STEP_MS, async (isLast) => {
    const found = await find(manager, wanted.name);
    if (found !== undefined) {
      if (isSet(wanted, found.config)) return found;
      return await manager.streams.update(wanted.name, wanted).catch(async (error: unknown) => {
        if (isForbidden(error)) return found;
        throw isTaken(error) ? await taken(manager, wanted, error) : error;
      });
    }
    return await manager.streams.add({ ...initially, ...wanted }).catch(async (error: unknown) => {
      // The server reserves the subjects of a new stream before it shows the stream. A process that creates the stream
      // at the same moment is told that the subjects are taken, but cannot find the stream yet.
      if (!isTaken(error)) throw error;
      if (!isLast) return undefined;
      throw await taken(manager, wanted, error);
    });
  });
  return made!;
}

async function taken(
  manager: JetStreamManager,
  { name, subjects = [] }: Partial<StreamConfig> & { readonly name: string },
  cause: unknown,
): Promise<unknown> {
  if (apiCode(cause) !== SUBJECTS_OVERLAP) return cause;
  const owners = await Promise.all(subjects.map((subject) => ownerOf(manager, subject, name)));
  const at = Math.max(
    0,
    owners.findIndex((owner) => owner !== undefined),
  );
  return new SubjectsTaken(takenBy(owners[at], subjects[at] ?? name, name), { cause });
}

export const takenBy = (owner: string | undefined, subject: string, name: string): string =>
  `${owner === undefined ? 'a stream that this user may not see' : `the stream ${owner}`} already takes ${subject}, which the stream ${name} is made for`;

/** The name of another stream that takes the subject; `undefined` if there is none, or if this user may not see it. */
export async function ownerOf(
  manager: JetStreamManager,
  subject: string,
  name: string,
): Promise<string | undefined> {
  const names = await manager.streams
    .names(subject)
    .next()
    .catch(() => []);
  return names.find((other) => other !== name);
}

/** What an operator has to do when another stream has taken the subjects. It is a part of the error's message. */
export const FREE_SUBJECTS =
  'give that stream other subjects (nats stream edit), delete it (nats stream rm), or give these services a NATS account of their own';

/** Waits for a stream that this user may not create. */
export async function waitForStream(manager: JetStreamManager, name: string): Promise<void> {
  const found = await repeat(MAKER_MS, MAKER_STEP_MS, () => find(manager, name));
  if (found === undefined)
    throw new Error(`the stream ${name} does not exist, and this NATS user may not create it`);
}

/** Tries until there is a result, or the time is over; resolves with the result of the last try. */
async function repeat<T>(
  forMs: number,
  stepMs: number,
  attempt: (isLast: boolean) => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = performance.now() + forMs;
  for (;;) {
    const isLast = performance.now() >= end;
    const given = await attempt(isLast);
    if (given !== undefined || isLast) return given;
    await pause(stepMs);
  }
}

/**
 * Whether the stream has the wanted settings. A missing one counts as false, because some servers leave out settings
 * that are false.
 */
function isSet(wanted: Partial<StreamConfig>, config: StreamConfig): boolean {
  return Object.entries(wanted).every(([name, value]) =>
    isDeepStrictEqual(config[name as keyof StreamConfig] ?? false, value),
  );
}

async function find(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (apiCode(error) === NOT_FOUND) return undefined;
    throw error;
  }
}

// The code in nats-server's server/errors.json.
export const NO_ROOM = 10047;
const NAME_IN_USE = 10058;
const NOT_FOUND = 10059;
const SUBJECTS_OVERLAP = 10065;

const isTaken = (error: unknown): boolean =>
  [NAME_IN_USE, SUBJECTS_OVERLAP].includes(apiCode(error) ?? Number.NaN);

/** The server does not allow this user to publish the request. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof NatsError && error.code === (ErrorCode.PermissionsViolation as string);

/** The code of an error from JetStream; `undefined` for any other error. */
export function apiCode(error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined;
}
