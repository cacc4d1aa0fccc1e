import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ErrorCode, NatsError, type JetStreamManager, type StreamConfig, type StreamInfo } from 'nats';

/** Milliseconds that another process is given to finish creating the same stream. */
const CREATION_MS = 4_000;
const CREATION_STEP_MS = 10;
/** Milliseconds to wait if this process may not create the stream, and the process that may has yet to start. */
const MAKER_MS = 30_000;
const MAKER_STEP_MS = 200;

/**
 * Brings the stream into its wanted form. If there is none, it is created with `wanted` and `initially`; if it differs
 * from `wanted`, it is changed. Other settings of an operator stay, and so does everything that this user may not
 * change.
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
      return await manager.streams.update(wanted.name, wanted).catch((error: unknown) => {
        if (isForbidden(error)) return found;
        throw error;
      });
    }
    return await manager.streams.add({ ...initially, ...wanted }).catch((error: unknown) => {
      // The server reserves the subjects of a new stream before it shows the stream. A process that creates the stream
      // at the same moment is told that the subjects are taken, but cannot find the stream yet.
      if (!isTaken(error) || isLast) throw error;
      return undefined;
    });
  });
  return made!;
}

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

/** Some servers leave out settings that are false. */
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
