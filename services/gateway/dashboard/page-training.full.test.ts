import type { Page } from 'playwright-core';
import type { z } from 'zod';
import { describe, expect, test } from 'vitest';
import * as models from '../../../events/catalog/models.ts';
import { BelegError } from '../../../events/errors.ts';
import type { ModelStatusReply } from '../../../events/messages/models.ts';
import { MODEL_STATUS, TRAINED_RUN, TRAINING_RUN, TRAINING_STATUS } from './dashboard-examples.ts';
import { browserIsThere, focused } from '../browser.suite.ts';
import { said, tryNow, usePages } from './page.suite.ts';

type Status = z.output<typeof ModelStatusReply>;
type Run = NonNullable<Status['run']>;

const RUN = { run: TRAINED_RUN.run };
const UNTRAINED: Status = { ...MODEL_STATUS, status: 'uninitialized', weights: null, saved: null, run: null };
const PREPARING: Run = {
  ...TRAINING_RUN,
  state: 'preparing',
  epoch: 0,
  step: 0,
  steps: 0,
  loss: null,
  steps_per_second: null,
  seconds_left: null,
  train: null,
  validation: null,
  test: null,
  history: [],
};
const INTERRUPTED: Run = {
  ...TRAINING_RUN,
  state: 'interrupted',
  steps_per_second: null,
  seconds_left: null,
  reason: 'stopped',
};
const ended = (run: Run): Status => ({ ...MODEL_STATUS, run });
const training = (run: Partial<Run> = {}): Status => ({
  ...TRAINING_STATUS,
  run: { ...TRAINING_RUN, ...run },
});

const says = (page: Page, text: string | RegExp) =>
  page.locator('#training-text', { hasText: text }).waitFor();
const allowed = (page: Page) =>
  page.evaluate(
    "[...document.querySelectorAll('#model .buttons [aria-disabled=false]')].map(({ id }) => id)",
  );
const textOf = (page: Page, ...ids: string[]) => Promise.all(ids.map((id) => page.textContent(`#${id}`)));
/** Begins to watch for layout shifts; the function that it returns gives those that were visible. */
async function watchShifts(page: Page): Promise<() => Promise<unknown>> {
  await page.locator('#model').scrollIntoViewIfNeeded();
  await page.evaluate(
    "new PerformanceObserver((list) => (window.shifts ??= []).push(...list.getEntries())).observe({ type: 'layout-shift' })",
  );
  return () => page.evaluate('(window.shifts ?? []).reduce((sum, { value }) => sum + value, 0)');
}

describe.skipIf(!browserIsThere)("the model's panel", () => {
  const pages = usePages();

  /** Sets the state of the model and publishes an event, after which the page reads it. */
  async function becomes(status: Status): Promise<void> {
    pages.fakes.script.modelStatus = () => status;
    const stream = models.trainingStream(RUN.run);
    await pages.fakes.publish(models.TrainingStopRequested, RUN, { stream });
  }
  const commands = () =>
    pages.fakes.asked.flatMap(({ name, request }) =>
      /^(train|stopTraining|saveModel|loadModel|benchmark)$/.test(name) ? [[name, request]] : [],
    );
  test('shows a training from its beginning to its scores, and nothing jumps', async () => {
    const page = await pages.open({ script: { modelStatus: () => UNTRAINED } });
    await says(page, 'Nothing has been trained yet.');
    expect(await allowed(page)).toEqual(['train', 'save', 'benchmark']);
    expect(await page.textContent('#model-facts')).toContain('initial weights');
    const shifts = await watchShifts(page);

    await page.click('#train');
    await said(page, 'Training started.');
    expect(commands()).toEqual([['train', { resume: false }]]);
    await becomes({ ...TRAINING_STATUS, run: PREPARING });
    await says(page, 'Preparing');
    expect(await page.getAttribute('#training-bar', 'value')).toBeNull();
    expect(await textOf(page, 'model-state', 'epoch', 'step')).toEqual(['training', '–', '–']);
    expect(await allowed(page)).toEqual(['stop-training', 'save', 'load']);

    // Steps of a training have no events, so the page must read them by itself.
    pages.fakes.script.modelStatus = () => training({ epoch: 0, step: 0, history: [] });
    await page.locator('#step', { hasText: '0 / 308' }).waitFor();
    expect(await page.textContent('#epoch')).toBe('1 / 2');
    pages.fakes.script.modelStatus = () => training({ epoch: 1, step: 77, history: [] });
    await page.locator('#step', { hasText: '77 / 308' }).waitFor();
    await says(page, 'Training on cpu…');
    expect(await page.getAttribute('#loss-chart', 'data-filled')).toBe('false');
    await becomes(training());
    await page.locator('#step', { hasText: '210 / 308' }).waitFor();
    expect(await textOf(page, 'epoch', 'loss', 'best-epoch', 'pace', 'time-left')).toEqual([
      '2 / 2',
      '0.9688',
      '1',
      '41.7',
      '2 s',
    ]);
    expect(Number(await page.getAttribute('#training-bar', 'value'))).toBeCloseTo(210 / 308, 6);
    expect(await textOf(page, 'loss-readout', 'skill-readout')).toEqual([
      'Epoch 1  Training 1.0127  Validation 0.9836  best so far',
      'Epoch 1  Return -0.0041  Volatility 0.1275',
    ]);
    expect(await page.isVisible('#scores')).toBe(false);

    await becomes({ ...MODEL_STATUS, status: 'trained' });
    await says(page, 'Trained: 308 steps on cpu.');
    expect(await page.locator('#scores tbody tr').allInnerTexts()).toEqual([
      'Network\t0.0009\t0.1533',
      'Ridge regression\t-0.0021\t0.1407',
      'Mean\t-0.0003\t-0.0118',
    ]);
    expect(await page.textContent('#scores-text')).toBe(
      'On days from Dec 26, 2023 to Jun 12, 2025 that were not used for training: 1 is perfect, 0 is no better than a constant. ' +
        'An R² near zero is usual for daily returns. All scores compare with the mean of the training part. If the level has moved since, a model that follows it looks better than it is.',
    );
    expect(await textOf(page, 'epoch', 'time-left')).toEqual(['2 / 2', '–']);
    expect(await allowed(page)).toEqual(['train', 'save', 'load', 'benchmark']);
    expect(await shifts()).toBeLessThan(0.001);
    expect(pages.complaints).toEqual([]);
  });

  test('its charts say each epoch that there is, by keyboard too', async () => {
    const page = await pages.open({ script: { modelStatus: () => training({ epochs: 10 }) } });
    await page.waitForSelector('#loss-chart[data-filled=true]');
    await page.focus('#loss-chart');
    await page.keyboard.press('End');
    const value = () => page.getAttribute('#loss-chart', 'aria-valuetext');
    expect(await value()).toMatch(/^Epoch 1 {2}Training 1.0127/);
    await becomes({ ...MODEL_STATUS, run: { ...TRAINED_RUN, epochs: 10 } });
    await says(page, 'Trained');
    await page.keyboard.press('End');
    expect(await value()).toBe('Epoch 2  Training 0.9651  Validation 0.9702  best so far');
    await page.keyboard.press('ArrowRight');
    expect(await value()).toMatch(/^Epoch 2 /);
    await page.keyboard.press('Home');
    expect(await value()).toMatch(/^Epoch 1 /);
  });

  test('stops, says so, and goes on; another training is asked about first', async () => {
    const page = await pages.open({ script: { modelStatus: () => training() } });
    await says(page, 'Training on cpu');
    await page.click('#train', { force: true });
    await said(page, 'A training is running.');
    await page.click('#stop-training');
    await said(page, 'Training is stopping.');
    await becomes({ ...training({ state: 'stopping' }), status: 'stopping' });
    await says(page, 'Stopping…');
    expect(await allowed(page)).toEqual(['save', 'load']);
    expect(await page.getAttribute('#stop-training', 'title')).toBe('It is already stopping');
    await becomes(ended(INTERRUPTED));
    await says(page, 'Stopped at step 210 of 308. Resume continues from its last checkpoint.');
    expect(await page.getAttribute('#training-text', 'data-bad')).toBe('false');

    await page.click('#train');
    expect(await page.textContent('#confirm')).toContain(
      'The interrupted training (step 210 of 308) can then no longer be resumed.',
    );
    expect(await focused(page)).toBe('Cancel');
    await page.keyboard.press('Enter');
    await page.locator('#confirm').waitFor({ state: 'hidden' });
    await page.click('#resume');
    await said(page, 'Training resumed.');
    pages.fakes.script.train = () => ({ status: 'started', ...RUN, resumed: false });
    await page.click('#resume');
    await said(page, /^A new training started, because the settings have changed/);
    await page.click('#train');
    await page.click('#confirm-yes');
    await said(page, 'Training started.');
    expect(commands()).toEqual([
      ['stopTraining', {}],
      ['train', { resume: true }],
      ['train', { resume: true }],
      ['train', { resume: false }],
    ]);
  });

  test('a failure, a crash and a model that cannot be used are told with their reasons, as text', async () => {
    const detail = '<img src=x onerror="window.hacked=1">';
    const failed: Run = { ...INTERRUPTED, state: 'failed', reason: `LOSS_NOT_FINITE: ${detail}` };
    const page = await pages.open({ script: { modelStatus: () => ended(failed) } });
    await says(
      page,
      `Failed at step 210 of 308: its loss is not a finite number; a lower learning rate may help: ${detail}.`,
    );
    expect(await page.getAttribute('#training-text', 'data-bad')).toBe('true');
    expect(await allowed(page)).toEqual(['train', 'save', 'load', 'benchmark']);
    await becomes(ended({ ...PREPARING, state: 'failed', reason: 'TOO_LITTLE_DATA: 40 days of AAPL' }));
    await says(page, 'Failed: there is too little market data for a window in each part: 40 days of AAPL.');
    await becomes(ended({ ...INTERRUPTED, reason: 'crashed: SIGKILL' }));
    await says(
      page,
      'Interrupted because its process stopped unexpectedly (SIGKILL) at step 210 of 308. Resume continues',
    );
    expect(await page.getAttribute('#training-text', 'data-bad')).toBe('true');
    await becomes(ended({ ...INTERRUPTED, reason: 'shutdown' }));
    await says(page, 'Interrupted because its service stopped at step 210 of 308. Resume continues');
    expect(await page.getAttribute('#training-text', 'data-bad')).toBe('false');
    await becomes({ ...UNTRAINED, status: 'error', error: 'Its weights are damaged' });
    await says(page, 'No model can be used: Its weights are damaged.');
    expect(await page.locator('#model-state').getAttribute('data-state')).toBe('error');
    expect(await page.getAttribute('#save', 'aria-disabled')).toBe('true');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('saves and loads, and says why saved weights are not put to use', async () => {
    const page = await pages.open({
      script: { loadModel: () => Promise.reject(new BelegError('WEIGHTS_MISMATCH')) },
    });
    await page.click('#save');
    await said(page, 'Weights saved.');
    await page.click('#load');
    await said(
      page,
      'Load: The saved weights belong to a different network than the configured one. The weights in use stay in use.',
    );
    pages.fakes.script.loadModel = () => Promise.reject(new BelegError('WEIGHTS_DAMAGED'));
    await page.click('#load');
    await said(page, 'Load: The saved weights are damaged. The weights in use stay in use.');
    pages.fakes.script.loadModel = () => ({ status: 'loaded', weights: 'f'.repeat(64) });
    await page.click('#load');
    await said(page, 'The saved weights are in use.');
    await becomes({ ...MODEL_STATUS, saved: null });
    await page.locator('#load[aria-disabled=true][title="No weights have been saved yet"]').waitFor();
  });

  test('measures, and shows what was measured', async () => {
    const measured = Promise.withResolvers<void>();
    const page = await pages.open();
    const answer = pages.fakes.script.benchmark;
    pages.fakes.script.benchmark = async (...asked) => {
      await measured.promise;
      return answer(...asked);
    };
    await page.click('#benchmark');
    await page.getByText('Measuring: this takes up to two minutes…').waitFor();
    await page.click('#benchmark', { force: true });
    measured.resolve();
    await page
      .getByText(
        /^Benchmark on cpu: inference 2.4 ms per batch \(13,300 windows\/s\), training 18.7 ms per step \(1,710 windows\/s\), 0.212 GB; took \d+ s\.$/,
      )
      .waitFor();
    expect(commands()).toEqual([['benchmark', {}]]);
    pages.fakes.script.benchmark = () => Promise.reject(new BelegError('ALREADY_TRAINING'));
    await page.click('#benchmark');
    await said(page, 'Benchmark: A training is already running.');
    expect(await page.textContent('#model-result')).toBe('');
    pages.fakes.script.train = () =>
      Promise.reject(new BelegError('ALREADY_TRAINING', { detail: 'A benchmark is running' }));
    await page.click('#train');
    await said(page, 'Train: A benchmark is running.');
  });

  test('a training that went on while the connection was lost is shown as it stands', async () => {
    const page = await pages.open({ script: { modelStatus: () => training() } });
    await page.locator('#step', { hasText: '210 / 308' }).waitFor();
    await pages.app.close();
    await page.waitForSelector('[data-connection=lost]');
    expect(await page.evaluate("getComputedStyle(document.querySelector('#training')).filter")).toBe(
      'grayscale(1)',
    );
    pages.fakes.script.modelStatus = () => training({ step: 301 });
    await pages.listen(Number(new URL(pages.url).port));
    await tryNow(page);
    await page.locator('#step', { hasText: '301 / 308' }).waitFor();
    pages.fakes.script.modelStatus = () => training({ step: 305 });
    await page.locator('#step', { hasText: '305 / 308' }).waitFor();
  });

  test('with a key for reading it shows all and sends nothing', async () => {
    const page = await pages.open({
      settings: { apiKeys: ['the-trade-key'], readKeys: ['the-read-key'] },
      until: '#key-dialog[open]',
    });
    await page.fill('#key', 'the-read-key');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#read-only:visible');
    await says(page, 'Trained');
    await expect.poll(() => allowed(page)).toEqual([]);
    for (const id of ['train', 'save', 'load', 'benchmark']) await page.click(`#${id}`, { force: true });
    expect(commands()).toEqual([]);
  });

  test('fits any screen, whatever its figures', async () => {
    const step = 987_654_321;
    const long = 'W'.repeat(200);
    const history = TRAINED_RUN.history.map((epoch) => ({ ...epoch, train_loss: 123_456.789 }));
    const run: Run = { ...INTERRUPTED, step, steps: step, history, reason: `crashed: ${long}` };
    const page = await pages.open({
      script: { modelStatus: () => ended({ ...run, scores: TRAINED_RUN.scores }) },
    });
    await says(page, long);
    await page.locator('#step', { hasText: '987,654,321 / 987,654,321' }).waitFor();
    const outside = `[...document.querySelectorAll('#model button, #model dd, #model td, #model .plot')].filter((part) => {
      const [inner, outer] = [part, part.closest('section')].map((of) => of.getBoundingClientRect());
      return inner.left < outer.left || inner.right > outer.right || part.scrollWidth > part.clientWidth + 1;
    }).map((part) => part.id || part.textContent)`;
    for (const width of [375, 400, 768, 1_024, 1_280, 1_440, 1_920]) {
      await page.setViewportSize({ width, height: 740 });
      // Charts are drawn one frame later.
      await expect.poll(() => page.evaluate(outside), { message: `${width}` }).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
  });
});
