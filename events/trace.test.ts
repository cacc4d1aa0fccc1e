import { SpanKind } from '@opentelemetry/api';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTrace, startSpan, traceOf } from './trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';
const TRACEPARENT = `00-${ID}-01`;
const HEX = '0123456789abcdef'.split('');
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...HEX), minLength: length, maxLength: length });

describe('a traceparent', () => {
  test('that is valid is taken as it is', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.constantFrom('00', '01', '02', '03'), (traceId, spanId, flags) => {
        fc.pre(!/^0+$/.test(traceId) && !/^0+$/.test(spanId));
        const traceparent = `00-${traceId}-${spanId}-${flags}`;
        expect(readTrace({ traceparent })).toEqual({ traceparent });
      }),
    );
  });

  test.each([
    ['unknown flags', `00-${ID}-ff`, `00-${ID}-03`],
    ['a later version', `cc-${ID}-01`, TRACEPARENT],
    ['a later version that says more', `01-${ID}-01-what-comes-later`, TRACEPARENT],
  ])('with %s keeps what this version knows', (_, traceparent, known) => {
    expect(readTrace({ traceparent })).toEqual({ traceparent: known });
  });

  test.each([
    ['nothing in it', ''],
    ['version ff', `ff-${ID}-01`],
    ['no trace id', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['no span id', `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`],
    ['more than its version has', `${TRACEPARENT}-more`],
    ['capitals', TRACEPARENT.toUpperCase()],
    ['a line break', `${TRACEPARENT}\n`],
    ['another header behind a line break', `01-${ID}-01-\r\nnats-msg-id: 1`],
    ['a letter too few', TRACEPARENT.slice(0, -1)],
    ['a list in it', `${TRACEPARENT}, ${TRACEPARENT}`],
    ['letters beyond hexadecimal', TRACEPARENT.replace('4bf9', '4bg9')],
    ['a megabyte', TRACEPARENT.repeat(20_000)],
  ])('with %s is ignored, its tracestate with it', (_, traceparent) => {
    expect(readTrace({ traceparent, tracestate: 'vendor=1' })).toBeUndefined();
  });

  test('is ignored whatever it is, or is well formed afterwards', () => {
    const bits = fc.oneof(fc.string(), hex(32), hex(16), hex(2), fc.constantFrom('-', '00', 'ff', ID));
    fc.assert(
      fc.property(fc.array(bits), fc.string(), (parts, tracestate) => {
        const trace = readTrace({ traceparent: parts.join('-'), tracestate });
        expect(trace?.traceparent ?? TRACEPARENT).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-0[0-3]$/);
        expect(trace?.tracestate ?? '').toMatch(/^[ -~]{0,512}$/);
      }),
    );
  });

  test('that came twice is ignored', () => {
    expect(readTrace({ traceparent: [TRACEPARENT, TRACEPARENT] })).toBeUndefined();
  });
});

describe('a tracestate', () => {
  test('goes along', () => {
    expect(
      readTrace({ traceparent: TRACEPARENT, tracestate: 'rojo=00f067aa0ba902b7, congo=t61rcWkgMzE' }),
    ).toEqual({
      traceparent: TRACEPARENT,
      tracestate: 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
    });
  });

  test.each([
    ['is too long', `a=${'x'.repeat(200)},b=${'x'.repeat(200)},c=${'x'.repeat(200)}`],
    ['is no list', 'nothing of the kind'],
    ['holds a line break', 'a=1\r\nnats-msg-id: 1'],
    ['holds what is not ASCII', 'name=Müller'],
  ])('that %s is dropped, the trace goes on', (_, tracestate) => {
    expect(readTrace({ traceparent: TRACEPARENT, tracestate })).toEqual({ traceparent: TRACEPARENT });
  });
});

describe('without an SDK', () => {
  const parent = { traceparent: TRACEPARENT, tracestate: 'rojo=1' };

  test('a span stands for its parent', () => {
    const span = startSpan('work', { kind: SpanKind.SERVER, parent });
    expect(span.isRecording()).toBe(false);
    expect(traceOf(span)).toEqual(parent);
  });

  test('nothing begins', () => {
    expect(traceOf(startSpan('work', { kind: SpanKind.SERVER, parent: undefined }))).toBeUndefined();
  });
});
