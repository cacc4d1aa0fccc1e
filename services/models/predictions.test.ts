import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Predict } from '../../events/messages/models.ts';
import type { Predictor } from './inference/predictor.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { day, ModelPlace, type StartedProcess } from './model-place.suite.ts';
import type { Weights } from './weights/weights.ts';

let place: ModelPlace;

beforeEach(() => {
  place = new ModelPlace();
});
afterEach(() => place.close());

/** Predictors whose result shows their input: the sum of a window's figures, and the seed of their weights. */
function opener() {
  const opened: number[] = [];
  const closed: number[] = [];
  let batches = 0;
  let busy = 0;
  let gate: Promise<void> = Promise.resolve();
  return {
    opened,
    closed,
    batches: () => batches,
    hold: (until: Promise<void>) => {
      gate = until;
    },
    open: async ({ seed }: Weights): Promise<Predictor> => {
      opened.push(seed);
      return {
        async predict(windows) {
          expect(++busy).toBe(1);
          batches += 1;
          await gate;
          busy -= 1;
          return windows.map((rows) => ({
            return: rows.reduce((sum, figure) => sum + figure, 0),
            volatility: seed,
          }));
        },
        async close() {
          closed.push(seed);
        },
      };
    },
  };
}

async function trained(process: StartedProcess, seed: number): Promise<string> {
  await process.training(false);
  process.trainer.prepare();
  const hash = await process.trainer.finish(seed);
  await expect.poll(async () => (await process.status()).weights, PATIENT).toBe(hash);
  await expect.poll(async () => (await process.status()).training_active, PATIENT).toBe(false);
  place.market.asked.length = 0;
  return hash;
}

const bars = (session: string) => [`prices AAA ${session}`, `prices BBBB ${session}`];

async function start() {
  const predictors = opener();
  const process = await place.serving({ openPredictor: predictors.open });
  const predict = (session: string) => process.ask(Predict, { session });
  return { process, predictors, predict };
}

describe('predictions', () => {
  it('of days that training has seen are said to be in sample, once', async () => {
    const lines: string[] = [];
    const write = (line: string): void => {
      // The model of this test has few windows, so there is a warning that it does not look at.
      if (!line.includes('trained on few windows')) lines.push(line);
    };
    const logger = pino({ level: 'warn' }, { write });
    const predictors = opener();
    const process = await place.serving({ openPredictor: predictors.open, logger });
    const predict = (session: string) => process.ask(Predict, { session });
    await trained(process, 100);
    await predict(day(20));
    expect(lines).toEqual([]);
    const weights = await trained(process, 101);
    await predict(day(19));
    await predict(day(18));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        weights,
        session: day(19),
        trained_until: day(19),
        msg: expect.stringContaining('IN SAMPLE'),
      }),
    ]);
  });

  it('are those of the weights in use, a batch a session, from a session that is kept', async () => {
    const { process, predictors, predict } = await start();
    await expect(predict(day(80))).rejects.toMatchObject({ code: 'MODEL_NOT_READY', status: 409 });
    const weights = await trained(process, 100);
    const answer = await predict(day(80));
    expect(answer).toEqual({
      weights,
      predictions: [
        { ticker: 'AAA', return: expect.any(Number) as number, volatility: 100 },
        { ticker: 'BBBB', return: expect.any(Number) as number, volatility: 100 },
      ],
    });
    await predict(day(81));
    expect(predictors.opened).toEqual([100]);
    expect(predictors.batches()).toBe(2);
    expect(process.service.status()?.predictions).toMatchObject({
      count: 2,
      last_ms: expect.any(Number) as number,
      p95_ms: expect.any(Number) as number,
    });
    const other = await trained(process, 200);
    expect(await predict(day(81))).toMatchObject({ weights: other, predictions: [{ volatility: 200 }, {}] });
    expect([predictors.opened, predictors.closed]).toEqual([[100, 200], [100]]);
    await process.leave();
    expect(predictors.closed).toEqual([100, 200]);
  });

  it('take one request to the market for the next session, and bars where it is another one', async () => {
    const { process, predict } = await start();
    await trained(process, 100);
    const asked = async (session: string): Promise<string[]> => {
      await predict(session);
      return place.market.asked.splice(0);
    };
    expect(await asked(day(80))).toEqual(bars(day(80)));
    expect(await asked(day(81))).toEqual([`sessions ${day(80)}`]);
    expect(await asked(day(81))).toEqual([]);
    expect(await asked(day(85))).toEqual([`sessions ${day(81)}`, ...bars(day(85))]);
    expect(await asked(day(70))).toEqual(bars(day(70)));
  });

  it('are the same, whichever way their windows came about', async () => {
    const { process, predict } = await start();
    await trained(process, 100);
    const stepped = [];
    for (let at = 84; at < 96; at++) stepped.push((await predict(day(at))).predictions);
    expect(stepped.map((predictions) => predictions.map(({ ticker }) => ticker).join())).toEqual([
      ...Array.from({ length: 6 }, () => 'AAA,BBBB'),
      ...Array.from({ length: 3 }, () => 'AAA'),
      ...Array.from({ length: 3 }, () => 'AAA,BBBB'),
    ]);
    for (let at = 95; at >= 84; at--) expect((await predict(day(at))).predictions).toEqual(stepped[at - 84]);
  });

  it('are made one after the other', async () => {
    const { process, predictors, predict } = await start();
    await trained(process, 100);
    const gate = Promise.withResolvers<void>();
    predictors.hold(gate.promise);
    const asking = [predict(day(80)), predict(day(81)), predict(day(80))];
    await expect.poll(predictors.batches, PATIENT).toBe(1);
    gate.resolve();
    const answers = await Promise.all(asking);
    expect(predictors.batches()).toBe(3);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('of a day without trading are none', async () => {
    const { process, predict } = await start();
    await trained(process, 100);
    expect((await predict('2030-01-01')).predictions).toEqual([]);
  });

  it('that cannot be had say why, and the next one can', async () => {
    const { process, predict } = await start();
    await trained(process, 100);
    const gate = Promise.withResolvers<void>();
    place.market.gate = gate.promise;
    const asking = predict(day(80));
    await expect.poll(() => place.market.asked.length, PATIENT).toBe(1);
    gate.reject(new Error('disk'));
    await expect(asking).rejects.toMatchObject({ code: 'INTERNAL' });
    place.market.gate = Promise.resolve();
    expect((await predict(day(80))).predictions).toHaveLength(2);
  });

  it('that are waited for end when the process leaves', async () => {
    const { process, predict } = await start();
    await trained(process, 100);
    const gate = Promise.withResolvers<void>();
    place.market.gate = gate.promise;
    const asking = predict(day(80));
    const next = predict(day(81));
    await expect.poll(() => place.market.asked.length, PATIENT).toBe(1);
    const leaving = process.leave();
    await expect(asking).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(next).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await leaving;
    gate.resolve();
  });
});
