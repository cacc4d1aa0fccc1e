import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODELS_STREAM, trainingStream } from '../../events/catalog/models.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import { call } from '../../events/messages/define.ts';
import { BenchmarkModel, LoadModel } from '../../events/messages/models.ts';
import { lastRevision } from '../foundation/streams/append-at-end.suite.ts';
import { createEvents } from '../foundation/streams/stamp-events.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { ModelPlace, type StartedProcess } from './model-place.suite.ts';

let place: ModelPlace;

beforeEach(() => {
  place = new ModelPlace();
});
afterEach(() => place.close());

async function untilStatus(process: StartedProcess, status: string): Promise<void> {
  await expect.poll(async () => (await process.status()).status, PATIENT).toBe(status);
}

const unavailable = { code: 'STORE_UNAVAILABLE', status: 503 };

describe('while the store is away', () => {
  it('no command begins anything, and the next one does', async () => {
    // A run that was opened but not begun is found when the record can be read again.
    const process = await place.serving();
    place.store.mode = 'down';
    await expect(process.train()).rejects.toMatchObject(unavailable);
    await expect(process.save()).rejects.toMatchObject(unavailable);
    expect(await process.status()).toMatchObject({ status: 'uninitialized', run: null });
    expect(process.trainer.jobs).toEqual([]);
    place.store.mode = 'up';
    await expect(process.load()).rejects.toMatchObject({ code: 'WEIGHTS_MISSING' });
    await process.save();
    place.store.mode = 'down';
    await expect(process.load()).rejects.toMatchObject(unavailable);
    expect(await process.status()).toMatchObject({ status: 'uninitialized', weights: null });
    place.store.mode = 'up';
    await process.load();
    await process.training();
    expect(await place.recorded()).toEqual([
      'TrainingRunOpened',
      'ModelSaved',
      'ModelPutToUse',
      'TrainingRunOpened',
      'TrainingStarted',
    ]);
  });

  it('what gets on record after its caller was told otherwise is so here too, and nobody has to ask again', async () => {
    // given
    const process = await place.serving();
    const saved = await process.save();
    // when
    place.store.mode = 'down';
    await expect(process.load()).rejects.toMatchObject(unavailable);
    place.store.mode = 'up';
    // then
    const { weights } = saved;
    await expect.poll(() => process.status(), PATIENT).toMatchObject({ status: 'loaded', weights });
  });

  it('a training goes on, and what it tells is recorded once the store is back', async () => {
    const process = await place.serving();
    await process.training();
    place.store.mode = 'down';
    process.trainer.prepare();
    process.trainer.epoch(1);
    await expect(process.stop()).rejects.toMatchObject(unavailable);
    expect(process.trainer.stops).toBe(0);
    const weights = await process.trainer.finish();
    expect(await process.status()).toMatchObject({ status: 'training', run: { state: 'preparing' } });
    place.store.mode = 'up';
    await untilStatus(process, 'trained');
    expect(await process.status()).toMatchObject({ weights, run: { state: 'trained' } });
    expect(await place.recorded()).toEqual([
      'TrainingRunOpened',
      'TrainingStarted',
      'TrainingPrepared',
      'TrainingEpochFinished',
      'TrainingFinished',
      'ModelPutToUse',
    ]);
  });

  it('what was written and said not to be is found, and nothing twice', async () => {
    const process = await place.serving();
    place.store.mode = 'mute';
    await expect(process.train()).rejects.toMatchObject(unavailable);
    await expect(process.save()).rejects.toMatchObject(unavailable);
    place.store.mode = 'up';
    await process.save();
    place.store.mode = 'mute';
    await expect(process.load()).rejects.toMatchObject(unavailable);
    place.store.mode = 'up';
    const { run } = await process.training();
    place.store.mode = 'mute';
    process.trainer.prepare();
    await expect.poll(async () => (await place.recorded()).at(-1), PATIENT).toBe('TrainingPrepared');
    process.trainer.epoch(1);
    await expect(process.stop()).rejects.toMatchObject(unavailable);
    place.store.mode = 'up';
    await process.stop();
    expect(await process.status()).toMatchObject({ run: { run, state: 'interrupted', reason: 'stopped' } });
    const recorded = await place.recorded();
    expect(recorded.filter((type) => type === 'TrainingStopRequested')).toHaveLength(1);
    expect(recorded.filter((type) => type === 'TrainingPrepared')).toHaveLength(1);
    expect(recorded.filter((type) => type === 'ModelPutToUse')).toHaveLength(1);
  });

  it('a start that was written and said not to be is closed before the next', async () => {
    const process = await place.serving();
    await process.training();
    await process.stop();
    place.store.mode = 'mute';
    await expect(process.train()).rejects.toMatchObject(unavailable);
    place.store.mode = 'up';
    expect(await process.train()).toMatchObject({ resumed: true });
    expect((await place.recorded()).slice(-3)).toEqual([
      'TrainingResumed',
      'TrainingInterrupted',
      'TrainingResumed',
    ]);
  });
});

describe('of several processes', () => {
  it('one serves; another takes over what it leaves, and can go on with it', async () => {
    const first = place.start();
    const second = place.start();
    await first.service.allHeld;
    expect(second.service.status()).toBeNull();
    await expect(second.status()).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
    const { run } = await first.training();
    first.trainer.prepare();
    first.trainer.epoch(1);
    await expect.poll(async () => (await first.status()).run?.history.length, PATIENT).toBe(1);
    await first.leave();
    expect(first.trainer.stops).toBe(1);
    await second.service.allHeld;
    expect(await second.status()).toMatchObject({
      status: 'uninitialized',
      run: { run, state: 'interrupted', reason: 'shutdown', step: 7, history: [{ epoch: 1 }] },
    });
    expect(await second.train()).toMatchObject({ run, resumed: true });
    expect(await second.trainer.started()).toMatchObject({ run, resume: true });
  });

  it('one that leaves while it prepares leaves a run that can go on', async () => {
    const gate = Promise.withResolvers<void>();
    place.market.gate = gate.promise;
    const first = await place.serving();
    const { run } = await first.train();
    await first.leave();
    gate.resolve();
    const second = await place.serving();
    expect(await second.status()).toMatchObject({ run: { run, reason: 'shutdown', step: 0 } });
    expect(await second.train()).toMatchObject({ run, resumed: true });
    await second.trainer.started();
  });

  it('one that leaves while a training is being begun ends that too', async () => {
    const gate = Promise.withResolvers<void>();
    place.market.feedGate = gate.promise;
    const first = await place.serving();
    const training = first.train();
    await expect.poll(() => place.market.asked, PATIENT).toContain('feed');
    const leaving = first.leave();
    gate.resolve();
    const { run } = await training;
    await leaving;
    const second = await place.serving();
    expect(await second.status()).toMatchObject({ run: { run, state: 'interrupted', reason: 'shutdown' } });
  });

  it('one that leaves while it measures does not wait for that', async () => {
    const process = await place.serving();
    const measuring = process.ask(BenchmarkModel, {});
    await expect.poll(() => process.service.status()?.benchmarking, PATIENT).toBe(true);
    const leaving = process.leave();
    await expect(measuring).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await leaving;
  });

  it('one that leaves while the store is away does not wait for it; the next says that it crashed', async () => {
    const first = await place.serving();
    await first.training();
    place.store.mode = 'down';
    await first.leave();
    place.store.mode = 'up';
    const second = await place.serving();
    expect(await second.status()).toMatchObject({ run: { state: 'interrupted', reason: 'crashed' } });
  });

  it('a stop that is waited for is answered when the process leaves', async () => {
    const process = await place.serving();
    const { run } = await process.training();
    process.trainer.obeys = false;
    const stopping = process.stop();
    await untilStatus(process, 'stopping');
    const leaving = process.leave();
    process.trainer.end({ outcome: 'stopped', step: 5, killed: true });
    expect(await stopping).toEqual({ status: 'stopped', run });
    await leaving;
    process.trainer.obeys = true;
    const next = await place.serving();
    expect(await next.status()).toMatchObject({ run: { reason: 'stopped', step: 5 } });
  });

  it('one that has lost the lease without knowing is fenced off, ends its training and reads again', async () => {
    const first = await place.serving();
    const { run } = await first.training();
    const other = place.start({ leases: new InProcessLeases(() => undefined) });
    await other.service.allHeld;
    expect(await other.status()).toMatchObject({ run: { run, state: 'interrupted', reason: 'crashed' } });
    first.trainer.prepare();
    await expect.poll(() => first.trainer.stops, PATIENT).toBe(1);
    await expect
      .poll(async () => (await first.status().catch(() => null))?.run?.state, PATIENT)
      .toBe('interrupted');
    expect(await first.status()).toMatchObject({ training_active: false });
    expect(await place.recorded()).not.toContain('TrainingPrepared');
  });

  it('weights that the same call has put to use from another disk are not taken for those of this one', async () => {
    // given: one disk with initial weights, and one with trained ones
    const here = place.settings();
    const there = place.settings({ folder: place.file('there') });
    const again = { correlationId: 'r', callId: randomUUID() };
    const initial = await place.serving({ settings: here });
    const { weights } = await initial.save();
    await initial.leave();
    const trained = await place.serving({ settings: there });
    await trained.training();
    trained.trainer.prepare();
    trained.trainer.epoch(1);
    await trained.trainer.finish();
    await untilStatus(trained, 'trained');
    const other = await trained.save();
    await trained.leave();
    const first = await place.serving({ settings: here });
    expect(await call(first.bus, LoadModel, {}, again)).toMatchObject({ weights });
    await first.leave();
    // when
    const second = await place.serving({ settings: there });
    const loading = call(second.bus, LoadModel, {}, again);
    // then
    await expect(loading).rejects.toMatchObject({ code: 'MODEL_NOT_READY' });
    expect(await second.status()).toMatchObject({ status: 'error' });
    expect(await second.load()).toMatchObject({ weights: other.weights });
    expect(await second.status()).toMatchObject({ status: 'loaded', weights: other.weights });
  });

  it('one that was overtaken while it began a training leaves what the other has begun alone', async () => {
    // given: the process does not get the lease again
    const leases = new InProcessLeases(() => undefined, { retryMs: 60_000 });
    const first = await place.serving({ leases });
    const { run } = await first.training();
    await first.stop();
    const other = await place.serving({ leases: new InProcessLeases(() => undefined) });
    expect(await other.training()).toMatchObject({ run, resumed: true });
    // when
    place.store.mode = 'down';
    await expect(first.train()).rejects.toMatchObject(unavailable);
    const next = [first.save(), first.save()];
    place.store.mode = 'up';
    await Promise.allSettled(next);
    // then
    expect(await place.recorded()).toEqual([
      'TrainingRunOpened',
      'TrainingStarted',
      'TrainingStopRequested',
      'TrainingInterrupted',
      'TrainingResumed',
    ]);
  });

  it('a command of one that has been overtaken is refused, and works when it has read again', async () => {
    const process = await place.serving();
    await append(MODELS_STREAM, { type: 'TrainingRunOpened', data: { run: 'another' } });
    await expect(process.save()).rejects.toMatchObject({ code: 'RESPONDER_LOST', status: 503 });
    await expect.poll(() => process.save().catch(() => null), PATIENT).toMatchObject({ status: 'saved' });
  });

  it('one that died when it had only opened a run leaves the run before it as the newest', async () => {
    const first = await place.serving();
    const { run } = await first.training();
    await first.leave();
    await append(MODELS_STREAM, { type: 'TrainingRunOpened', data: { run: 'another' } });
    const second = await place.serving();
    expect(await second.status()).toMatchObject({ run: { run, state: 'interrupted' } });
    expect(await second.train()).toMatchObject({ run, resumed: true });
  });

  it('a record that does not add up lets nobody begin', async () => {
    await append(MODELS_STREAM, { type: 'TrainingRunOpened', data: { run: 'r' } });
    await append(trainingStream('r'), { type: 'TrainingResumed', data: { run: 'r' } });
    const process = place.start();
    await expect(process.service.allHeld).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
  });
});

/** Appends as another process would. */
async function append(stream: string, draft: { type: string; data: Record<string, unknown> }): Promise<void> {
  const cause = { stream, at: '2024-01-01T00:00:00Z', correlationId: 'o', causationId: 'o', key: stream };
  const [event] = createEvents([draft], cause, { redact: false });
  await place.store.append(stream, await lastRevision(place.store, stream), [
    await place.codec.encode(event!),
  ]);
}
