import { ErrorCode, NatsError, type NatsConnection } from 'nats';
import type { Bucket } from '../../../events/nats/bucket.ts';
import { KEYS_BUCKET } from '../../../events/vault/nats-keys.ts';
import type { Process } from '../simulated-process.ts';
import type { World } from '../world.ts';

export { isNotFound, isUnreadable, isWrongRevision } from '../../../events/nats/bucket.ts';

/** The kinds of streams whose text a query to the bucket is about; all of them if that is unknown. */
function kindOf(process: Process, key: string, value: string): string {
  if (value.startsWith('{"erased"')) return 'erasures';
  if (key === '') return 'all texts';
  return process.name.startsWith('knowledge') ? 'ask' : 'comments';
}

type SimulatedBucket = Bucket & { ensure(): Promise<{ readonly created: string }> };

/** The bucket of `KeyServer`, over a network that loses queries and replies. */
export async function openBucket(connection: NatsConnection): Promise<SimulatedBucket> {
  const { process, world } = connection as unknown as { process: Process; world: World };
  const { simulation, keys } = world;
  const asked = async <T>(question: () => T, key = '', value = ''): Promise<T> => {
    const settled = (): { value: T } | { error: unknown } => {
      try {
        return { value: question() };
      } catch (error) {
        return { error };
      }
    };
    if (!world.failsAt('vault', process, kindOf(process, key, value))) {
      const answer = await simulation.trip(process, 3, settled);
      if ('error' in answer) throw answer.error;
      return answer.value;
    }
    const isDoneAllTheSame = simulation.chance(0.4);
    const failing = simulation.sleep(simulation.between(1, 800), process);
    if (isDoneAllTheSame) simulation.after(simulation.between(0.1, 3), null, settled);
    await failing;
    throw new NatsError(ErrorCode.Timeout, ErrorCode.Timeout);
  };
  const ensure = async (): Promise<{ created: string }> => ({ created: await asked(() => keys.ensure()) });
  await ensure();
  const bucket = {
    stream: 'KV_beleg_keys',
    kv: {
      get: async (key: string, { revision }: { revision?: number } = {}) => {
        const entry = await asked(() => keys.get(key, revision), key);
        if (entry === null) return null;
        return {
          revision: entry.revision,
          created: new Date(entry.at),
          operation: 'PUT',
          json: () => JSON.parse(entry.value) as unknown,
          string: () => entry.value,
        };
      },
      put: (key: string, value: string, { previousSeq }: { previousSeq: number }) =>
        asked(() => keys.put(key, value, previousSeq), key, value),
    },
    manager: {
      streams: {
        deleteMessage: (_: string, revision: number) => asked(() => keys.delete(revision)),
        info: async () => ({ state: await asked(() => keys.bounds()) }),
        async getMessage(_: string, { seq }: { seq: number }) {
          const { key, value } = await asked(() => keys.at(seq));
          return {
            seq,
            subject: `$KV.${KEYS_BUCKET}.${key}`,
            string: () => value,
            json: () => JSON.parse(value) as unknown,
          };
        },
      },
    },
    keys: (filter: string) => asked(() => keys.keys(filter)),
    keeps: async (key: string, revision: number) =>
      ((await asked(() => keys.get(key, undefined), key))?.revision ?? 0) >= revision,
    async removeUpTo(last: number) {
      const { first_seq: first } = await asked(() => keys.bounds());
      for (let revision = first; revision <= last; revision++)
        await asked(() => keys.delete(revision)).catch(() => false);
    },
    ensure,
  };
  return bucket as unknown as SimulatedBucket;
}
