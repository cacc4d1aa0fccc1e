import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import type { AppendResult, EventStore, NewEvent } from '../../events/store/store.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { ModelPlace, type StartedProcess } from './model-place.suite.ts';

let places: ModelPlace[] = [];

beforeEach(() => {
  places = [];
});
afterEach(async () => {
  await Promise.all(places.map((place) => place.close()));
});

function newPlace(): ModelPlace {
  const place = new ModelPlace();
  places.push(place);
  return place;
}

const unavailable = (): BelegError => new BelegError('STORE_UNAVAILABLE');

/**
 * A store whose connection to this process breaks in the n-th append, as if the process were killed there. `lands`:
 * whether that append is on record.
 */
function cutOff(store: EventStore, n: number, lands: boolean): { store: EventStore; isDead: () => boolean } {
  let appends = 0;
  let dead = false;
  const isDead = (): boolean => dead;
  const append = async (
    stream: string,
    revision: bigint,
    events: readonly NewEvent[],
  ): Promise<AppendResult> => {
    if (dead) throw unavailable();
    appends += 1;
    const isLast = appends === n;
    const result = isLast && !lands ? null : await store.append(stream, revision, events);
    dead ||= isLast;
    if (dead || result === null) throw unavailable();
    return result;
  };
  const ofLiving = async function* <T>(events: AsyncIterable<T>): AsyncIterable<T> {
    if (dead) throw unavailable();
    yield* events;
  };
  return {
    isDead,
    store: {
      append,
      readStream: (...request) => ofLiving(store.readStream(...request)),
      readAll: (...request) => ofLiving(store.readAll(...request)),
      end: () => store.end(),
      subscribe: (...request) => store.subscribe(...request),
      ping: async () => {
        if (dead) throw unavailable();
        await store.ping();
      },
      close: () => Promise.resolve(),
    },
  };
}

const stateOf = async ({ status }: StartedProcess) => (await status()).run?.state ?? null;

/** Trains, saves, trains, stops and resumes for as long as the process lives: 15 appends. */
async function live(process: StartedProcess, isDead: () => boolean): Promise<void> {
  const until = async (state: string): Promise<void> => {
    await expect.poll(async () => isDead() || (await stateOf(process)) === state, PATIENT).toBe(true);
  };
  const idle = async (): Promise<void> => {
    await expect.poll(async () => isDead() || !(await process.status()).training_active, PATIENT).toBe(true);
  };
  await process.training();
  process.trainer.prepare();
  process.trainer.epoch(1);
  await process.trainer.finish(100);
  await until('trained');
  await idle();
  await process.save();
  await process.training();
  await process.stop();
  await idle();
  await process.training();
  process.trainer.prepare();
  await process.trainer.finish(200);
  await until('trained');
  await idle();
}

/** After every crash nothing runs, the trained weights are in use, and a new training succeeds. */
async function expectConsistent(place: ModelPlace): Promise<void> {
  // The killed process releases no lease, and nothing renews those that it held.
  const leases = new InProcessLeases(() => undefined);
  const process = await place.serving({ leases });
  const { status, run, weights, error, training_active } = await process.status();
  expect([training_active, error]).toEqual([false, null]);
  expect(['uninitialized', 'trained']).toContain(status);
  expect(run === null || ['trained', 'interrupted'].includes(run.state)).toBe(true);
  expect(run?.state === 'trained' && weights === null).toBe(false);
  const again = await process.train();
  expect(again.resumed).toBe(run?.state === 'interrupted');
  await process.trainer.started();
  process.trainer.prepare();
  const trained = await process.trainer.finish(300);
  await expect.poll(async () => (await process.status()).weights, PATIENT).toBe(trained);
  await process.leave();
  const last = await place.serving({ leases });
  expect(await last.status()).toMatchObject({
    status: 'trained',
    weights: trained,
    run: { state: 'trained' },
  });
}

const APPENDS = 15;

describe('a process that is killed', () => {
  it('lives through the whole story where it is not', async () => {
    const place = newPlace();
    const process = await place.serving();
    await live(process, () => false);
    expect(await place.recorded()).toHaveLength(APPENDS);
  });

  it.each([
    ['before', false],
    ['after', true],
  ])('%s any of its appends leaves what the next one makes sense of', async (_, lands) => {
    const crash = async (n: number): Promise<void> => {
      const place = newPlace();
      const { store, isDead } = cutOff(place.store, n, lands);
      const process = await place.serving({ store });
      void live(process, isDead).catch(() => undefined);
      await expect.poll(isDead, PATIENT).toBe(true);
      await expectConsistent(place);
    };
    await Promise.all(Array.from({ length: APPENDS }, (_, at) => crash(at + 1)));
  });
});
