import { afterEach, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../events/error-codes.ts';
import { BelegError } from '../../../events/errors.ts';
import { startDashboard, type Dashboard } from './dashboard.suite.ts';
import { BENCHMARK, MODEL_STATUS, TRAINED_RUN, WEIGHTS } from './dashboard-examples.ts';

let dashboard: Dashboard;
afterEach(() => dashboard.app.close());

const asked = (name: string) =>
  dashboard.fakes.asked.filter((call) => call.name === name).map(({ request }) => request);

describe('a training', () => {
  test('goes on with the one that was interrupted, unless a new one is asked for', async () => {
    dashboard = await startDashboard();
    for (const body of [undefined, '', {}, { resume: true }, { resume: false }]) {
      const response = await dashboard.post('/api/models/train', body);
      const resumed = JSON.stringify(body) !== '{"resume":false}';
      expect(response.json()).toEqual({ status: 'started', run: TRAINED_RUN.run, resumed });
    }
    expect(asked('train').map((request) => (request as { resume: boolean }).resume)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  test.each([[{ resume: 'no' }], [[]], [7], [{ epochs: 3 }]])(
    'is not started by a body that is none of its own: %j',
    async (body) => {
      dashboard = await startDashboard();
      const response = await dashboard.post('/api/models/train', body);
      expect(response.statusCode).toBe(422);
      expect(response.json()).toMatchObject({ code: 'INVALID_REQUEST' });
      expect(asked('train')).toEqual([]);
    },
  );

  test('that is stopped can be named, so can weights that are saved or loaded', async () => {
    dashboard = await startDashboard();
    expect((await dashboard.post('/api/models/train/stop')).json()).toEqual({
      status: 'stopped',
      run: TRAINED_RUN.run,
    });
    expect((await dashboard.post('/api/models/save')).json()).toEqual({ status: 'saved', weights: WEIGHTS });
    expect((await dashboard.post('/api/models/load')).json()).toEqual({ status: 'loaded', weights: WEIGHTS });
  });
});

test.each<[string, 'train' | 'stopTraining' | 'saveModel' | 'loadModel' | 'benchmark', ErrorCode, number]>([
  ['train', 'train', 'ALREADY_TRAINING', 409],
  ['train', 'train', 'MODEL_NOT_READY', 409],
  ['train/stop', 'stopTraining', 'NOT_TRAINING', 409],
  ['save', 'saveModel', 'MODEL_NOT_READY', 409],
  ['load', 'loadModel', 'WEIGHTS_MISSING', 404],
  ['load', 'loadModel', 'WEIGHTS_MISMATCH', 409],
  ['load', 'loadModel', 'WEIGHTS_DAMAGED', 409],
  ['benchmark', 'benchmark', 'ALREADY_TRAINING', 409],
])('models/%s: a refusal is told as what it is (%s, %s)', async (path, name, code, status) => {
  dashboard = await startDashboard({}, { [name]: () => Promise.reject(new BelegError(code)) });
  const response = await dashboard.post(`/api/models/${path}`);
  expect(response.statusCode).toBe(status);
  expect(response.json()).toMatchObject({ code });
});

test('a benchmark has two minutes: longer than any other request', async () => {
  dashboard = await startDashboard();
  const deadlines: number[] = [];
  const { bus } = dashboard.fakes;
  await dashboard.fakes.leave('models');
  bus.subscribe('beleg.v1.cmd.models.benchmark', ({ headers }) => {
    deadlines.push(Date.parse(headers['deadline']!) - Date.now());
    return { data: new TextEncoder().encode(JSON.stringify(BENCHMARK)) };
  });
  expect((await dashboard.post('/api/models/benchmark')).json()).toEqual(BENCHMARK);
  expect(deadlines[0]).toBeGreaterThan(115_000);
  expect(deadlines[0]).toBeLessThanOrEqual(120_000);
});

test('a status with all that may be missing is a status', async () => {
  const run = {
    ...TRAINED_RUN,
    state: 'preparing' as const,
    as_of: null,
    step: 0,
    steps: 0,
    loss: null,
    steps_per_second: null,
    seconds_left: null,
    train: null,
    validation: null,
    test: null,
    history: [],
    scores: null,
  };
  const status = { ...MODEL_STATUS, weights: null, saved: null, run };
  dashboard = await startDashboard({}, { modelStatus: () => status });
  expect((await dashboard.app.inject('/api/models/status')).json()).toEqual(status);
});
