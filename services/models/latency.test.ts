import { expect, it } from 'vitest';
import { Latency } from './latency.ts';

it('tells the last, the median and the 95th percentile of the newest answers', () => {
  const latency = new Latency();
  expect(latency.figures()).toEqual({ count: 0, last_ms: null, p50_ms: null, p95_ms: null });
  for (let ms = 100; ms >= 1; ms--) latency.add(ms);
  expect(latency.figures()).toEqual({ count: 100, last_ms: 1, p50_ms: 50, p95_ms: 95 });
  for (let n = 0; n < 512; n++) latency.add(7);
  expect(latency.figures()).toEqual({ count: 612, last_ms: 7, p50_ms: 7, p95_ms: 7 });
});
