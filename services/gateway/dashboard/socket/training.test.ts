import { afterEach, expect, test } from 'vitest';
import { BelegError } from '../../../../events/errors.ts';
import { MODEL_STATUS, TRAINING_RUN, TRAINING_STATUS } from '../dashboard-examples.ts';
import { METRICS_INTERVAL_MS, startSocket, type Started } from './dashboard-socket.suite.ts';

let started: Started;
afterEach(() => started.close());

/** More than the shortest time between two pushes of the metrics. */
const SOON = 100;
const PROGRESS_MS = 500;
const RARELY = { settings: { metricsIntervalMs: 3_600_000 } };
/** Any event of the models. */
const happen = () => {
  const event = { type: 'Whatever', stream: 'training-1', revision: 0, data: {} };
  started.fakes.bus.publish('beleg.v1.evt.models.whatever.1', Buffer.from(JSON.stringify(event)));
};
const asked = () => started.fakes.asked.filter(({ name }) => name === 'modelStatus').length;
const at = (step: number) => ({ ...TRAINING_STATUS, run: { ...TRAINING_RUN, step } });

test('the status of the model comes at once, and again when it has changed', async () => {
  started = await startSocket();
  const peer = await started.open();
  await peer.follow('training');
  expect((await peer.heard('training'))[0]).toEqual({
    type: 'training',
    seq: expect.any(Number),
    ...MODEL_STATUS,
  });
  await started.pass(METRICS_INTERVAL_MS);
  await peer.caughtUp();
  started.fakes.script.modelStatus = () => TRAINING_STATUS;
  await started.pass(METRICS_INTERVAL_MS);
  expect((await peer.heard('training', 2))[1]).toMatchObject({ status: 'training' });
});

test('an event of the models has it looked at', async () => {
  started = await startSocket();
  const peer = await started.open();
  await peer.follow('training');
  await peer.heard('training');
  await started.pass(PROGRESS_MS);
  started.fakes.script.modelStatus = () => ({ ...MODEL_STATUS, status: 'trained' });
  happen();
  expect((await peer.heard('training', 2))[1]).toMatchObject({ status: 'trained' });
});

test('while it trains its progress is read twice a second, once for all clients', async () => {
  started = await startSocket({ ...RARELY, script: { modelStatus: () => at(1) } });
  const peers = [await started.open(), await started.open(), await started.open()];
  for (const peer of peers) await peer.follow('training');
  for (const peer of peers) await peer.heard('training');
  await started.settled();
  const before = asked();
  for (let n = 2; n <= 5; n++) {
    started.fakes.script.modelStatus = () => at(n);
    await started.pass(PROGRESS_MS - 1);
    await peers[0]!.caughtUp();
    expect(asked() - before).toBe(n - 2);
    await started.pass(1);
    for (const peer of peers) {
      const pushes = await peer.heard('training', n);
      expect(pushes.map(({ run }) => run?.step).at(-1)).toBe(n);
    }
  }
  expect(asked() - before).toBe(4);
});

test('a progress that is none is not pushed', async () => {
  started = await startSocket({ ...RARELY, script: { modelStatus: () => at(1) } });
  const peer = await started.open();
  await peer.follow('training');
  await peer.heard('training');
  await started.settled();
  const before = asked();
  for (let n = 1; n <= 3; n++) {
    await started.pass(PROGRESS_MS);
    await started.settled();
    expect(asked() - before).toBe(n);
  }
  await peer.caughtUp();
  expect(await peer.heard('training')).toHaveLength(1);
});

test('however many events there are, it is read twice a second', async () => {
  started = await startSocket({ ...RARELY, script: { modelStatus: () => at(1) } });
  const peer = await started.open();
  await peer.follow('training');
  await peer.heard('training');
  await started.settled();
  const before = asked();
  for (let n = 0; n < 20; n++) {
    started.fakes.script.modelStatus = () => at(n);
    happen();
    await started.pass(PROGRESS_MS / 10);
  }
  expect(await peer.heard('training', 3)).toHaveLength(3);
  expect(asked() - before).toBe(2);
});

test('nobody is asked while nobody follows, and again from when somebody does', async () => {
  started = await startSocket({ ...RARELY, script: { modelStatus: () => at(1) } });
  const peer = await started.open();
  await peer.heard('metrics');
  peer.say({ action: 'unsubscribe', channel: 'metrics' });
  await peer.caughtUp();
  await started.settled();
  const before = asked();
  for (let n = 0; n < 4; n++) {
    happen();
    await started.pass(PROGRESS_MS);
    await peer.caughtUp();
  }
  expect(asked()).toBe(before);

  peer.say({ action: 'subscribe', channel: 'training' });
  await peer.heard('training');
  await started.pass(PROGRESS_MS);
  await expect.poll(() => asked() - before).toBe(2);
  peer.say({ action: 'unsubscribe', channel: 'training' });
  await peer.heard('unsubscribed', 2);
  for (let n = 0; n < 4; n++) {
    await started.pass(PROGRESS_MS);
    await peer.caughtUp();
  }
  expect(asked() - before).toBe(2);
});

test('while nothing trains it is not asked for progress', async () => {
  started = await startSocket(RARELY);
  const peer = await started.open();
  await peer.follow('training');
  await peer.heard('training');
  await started.settled();
  const before = asked();
  for (let n = 0; n < 4; n++) {
    await started.pass(PROGRESS_MS);
    await peer.caughtUp();
  }
  expect(asked()).toBe(before);
});

test('a training that was read before its service had got to its beginning is seen half a second later', async () => {
  started = await startSocket(RARELY);
  const peer = await started.open();
  peer.say({ action: 'subscribe', channel: 'training' });
  await peer.heard('metrics');
  await peer.heard('training');
  await started.pass(PROGRESS_MS);
  await started.settled();
  const before = asked();
  happen();
  await expect.poll(() => asked() - before).toBe(2);
  await peer.caughtUp();
  started.fakes.script.modelStatus = () => at(0);
  await started.pass(PROGRESS_MS);
  expect((await peer.heard('training', 2))[1]).toMatchObject({ status: 'training', run: { step: 0 } });
  expect((await peer.heard('metrics', 3))[2]).toMatchObject({ model: { status: 'training' } });
});

test('a state of the model is in the metrics at once', async () => {
  started = await startSocket(RARELY);
  const peer = await started.open();
  await peer.heard('metrics');
  await started.pass(SOON);
  started.fakes.script.modelStatus = () => at(0);
  happen();
  expect((await peer.heard('metrics', 2))[1]).toMatchObject({ model: { status: 'training' } });
});

test('a training that cannot be read for a while goes on to be told of', async () => {
  started = await startSocket({ ...RARELY, script: { modelStatus: () => at(1) } });
  const peer = await started.open();
  await peer.follow('training');
  await peer.heard('training');
  started.fakes.script.modelStatus = () => Promise.reject(new BelegError('STORE_UNAVAILABLE'));
  await started.settled();
  const before = asked();
  await started.pass(PROGRESS_MS);
  await expect.poll(() => asked()).toBe(before + 1);
  await peer.caughtUp();
  started.fakes.script.modelStatus = () => at(7);
  await expect
    .poll(() => (started.clock.advance(1_000), peer.messages))
    .toContainEqual(expect.objectContaining({ type: 'training', run: expect.objectContaining({ step: 7 }) }));
  started.fakes.script.modelStatus = () => at(8);
  await expect
    .poll(() => (started.clock.advance(PROGRESS_MS), peer.messages))
    .toContainEqual(expect.objectContaining({ type: 'training', run: expect.objectContaining({ step: 8 }) }));
});
