import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { NatsError, type JetStreamManager, type StreamConfig, type StreamInfo } from 'nats';

/** Milliseconds that another process is given to finish creating the same stream. */
const CREATION_MS = 2_000;
const CREATION_STEP_MS = 5;

/**
 * The stream as it is to be: created with `wanted` and `initially` where there is none, else changed where it differs from
 * `wanted`. What an operator has set otherwise stays.
 */
export async function ensureStream(
  manager: JetStreamManager,
  wanted: Partial<StreamConfig> & { readonly name: string },
  initially: Partial<StreamConfig> = {},
): Promise<StreamInfo> {
  for (let waitedMs = 0; ; waitedMs += CREATION_STEP_MS) {
    const found = await find(manager, wanted.name);
    if (found !== undefined) {
      return isSet(wanted, found.config) ? found : await manager.streams.update(wanted.name, wanted);
    }
    try {
      return await manager.streams.add({ ...initially, ...wanted });
    } catch (error) {
      // The server takes the subjects of a new stream before it shows the stream: whoever creates it at the same
      // moment is told that they are taken, by a stream that cannot be found yet.
      if (!isTaken(error) || waitedMs >= CREATION_MS) throw error;
      await pause(CREATION_STEP_MS);
    }
  }
}

/** Some servers leave out what is false. */
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

// nats-server's server/errors.json
const NAME_IN_USE = 10058;
const NOT_FOUND = 10059;
const SUBJECTS_OVERLAP = 10065;

const isTaken = (error: unknown): boolean =>
  [NAME_IN_USE, SUBJECTS_OVERLAP].includes(apiCode(error) ?? Number.NaN);

/** Of an error that JetStream answered with; `undefined` for any other. */
export function apiCode(error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined;
}
