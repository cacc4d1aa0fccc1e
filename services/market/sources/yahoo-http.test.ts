import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  answering,
  chartBody,
  fetchAapl,
  ok,
  QUOTES,
  refusal,
  status,
  unreachable,
  type Answer,
} from './yahoo-answers.suite.ts';

const { signal } = new AbortController();

afterEach(() => {
  vi.restoreAllMocks();
});

const unknown: Answer = () =>
  Response.json({ chart: { result: [{ meta: {}, indicators: { quote: [{}] } }], error: null } });

describe('requests', () => {
  const good = ok(chartBody({ quotes: QUOTES }));

  it('are made again, later each time, until there is an answer', async () => {
    const { source, asked, pauses } = answering([status(500), unreachable, status(429), good]);
    expect((await fetchAapl(source)).bars).toHaveLength(3);
    expect(asked).toHaveLength(4);
    expect(pauses).toEqual([500, 1_000, 500, 4_000, 500, 15_000, 500]);
  });

  it('are given up after four tries', async () => {
    const down = answering([status(503)]);
    await expect(fetchAapl(down.source)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      detail: 'Yahoo answered with status 503',
    });
    expect(down.asked).toHaveLength(4);
    await expect(fetchAapl(answering([unreachable]).source)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      detail: 'Yahoo cannot be reached',
    });
  });

  it('wait as long as Yahoo says, or leave that to the caller where it is long', async () => {
    const soon = answering([status(429, { 'retry-after': '30' }), good]);
    await fetchAapl(soon.source);
    expect(soon.pauses).toEqual([500, 30_000, 500]);
    const late = answering([status(429, { 'retry-after': '3600' })]);
    await expect(fetchAapl(late.source)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: 3_600,
    });
    expect(late.asked).toHaveLength(1);
  });

  it('are made one at a time, and one that fails does not hold up the next', async () => {
    const { source, most, pauses } = answering([status(404), good]);
    const results = await Promise.allSettled(
      ['MSFT', 'AAPL', '^GSPC'].map((ticker) => source.fetch(ticker, null, signal)),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(most()).toBe(1);
    expect(pauses).toEqual([500, 500, 500]);
  });

  it('end with the reason of the signal', async () => {
    const reason = new Error('shutting down');
    await expect(answering([good]).source.fetch('AAPL', null, AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    const stopping: Answer = () => {
      controller.abort(reason);
      return unreachable();
    };
    await expect(answering([stopping]).source.fetch('AAPL', null, controller.signal)).rejects.toBe(reason);
  });

  it('keep no cookie, print nothing, and go nowhere else', async () => {
    const elsewhere = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network here'));
    const printed = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const logged = (['log', 'info', 'warn', 'error', 'dir'] as const).map((name) => vi.spyOn(console, name));
    const answers = [good, () => refusal('Not Found', 'gone'), status(403), unknown, good];
    const { source, asked } = answering(answers);
    for (const ticker of ['AAPL', 'GONE', 'SHUT', 'ODD', 'AAPL']) {
      await source.fetch(ticker, null, signal).catch(() => undefined);
    }
    expect(asked.map(({ headers }) => headers.get('cookie') ?? '')).toEqual(answers.map(() => ''));
    expect(asked.map(({ url }) => url.hostname)).toEqual(answers.map(() => 'query2.finance.yahoo.com'));
    for (const spy of [elsewhere, ...printed, ...logged]) expect(spy).not.toHaveBeenCalled();
  });
});
