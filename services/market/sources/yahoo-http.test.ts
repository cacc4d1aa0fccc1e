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

  it.each<[Answer, string]>([
    [status(500), 'Yahoo answered with status 500'],
    [status(503), 'Yahoo answered with status 503'],
    [status(429), 'Yahoo answered with status 429'],
    [unreachable, 'Yahoo cannot be reached'],
  ])('that are not answered may be made again by the caller', async (answer, detail) => {
    const { source, asked } = answering([answer, good]);
    await expect(fetchAapl(source)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', detail });
    expect(asked).toHaveLength(1);
    expect((await fetchAapl(source)).bars).toHaveLength(3);
  });

  it('tell the caller how long Yahoo says to wait', async () => {
    const late = answering([status(429, { 'retry-after': '3600' })]);
    await expect(fetchAapl(late.source)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: 3_600,
    });
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
