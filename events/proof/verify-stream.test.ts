import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chain } from '../store/chain.suite.ts';
import { recordedHash } from '../store/chain.ts';
import type { RecordedEvent } from '../store/store.ts';
import { verifyChain } from './verify-stream.ts';

async function* stream(events: readonly RecordedEvent[]): AsyncGenerator<RecordedEvent> {
  yield* events;
}

const faultsOf = async (events: readonly RecordedEvent[]) =>
  (await verifyChain('ask-1', stream(events))).faults;

const missing = (from: number, to: number) => ({
  kind: 'missing',
  stream: 'ask-1',
  from,
  to,
  checkpoint: null,
});

/** Two rows were swapped, each with everything but its revision. */
function exchange(events: readonly RecordedEvent[], a: number, b: number): RecordedEvent[] {
  const at = (from: number, to: number): RecordedEvent => ({
    ...events[from]!,
    revision: events[to]!.revision,
    position: events[to]!.position,
  });
  return events.map((event, index) => (index === a ? at(b, a) : index === b ? at(a, b) : event));
}

describe('Chain of a stream', () => {
  it('finds nothing wrong with a whole chain', async () => {
    expect(await verifyChain('ask-1', stream(chain(200)))).toEqual({ events: 200, faults: [] });
    expect(await verifyChain('ask-1', stream([]))).toEqual({ events: 0, faults: [] });
  });

  it('names the one event that was changed, whichever field it was', async () => {
    const changes: ((event: RecordedEvent) => RecordedEvent)[] = [
      (event) => ({ ...event, data: { n: 5, text: 'a' } }),
      (event) => ({ ...event, type: 'Other' }),
      (event) => ({ ...event, id: '00000000-0000-8000-8000-ffffffffffff' }),
      (event) => ({ ...event, stream: 'ask-2' }),
      (event) => ({ ...event, metadata: { ...event.metadata, at: '2022-03-01T08:00:01Z' } }),
      (event) => ({ ...event, metadata: { ...event.metadata, key: 'k' } }),
    ];
    for (const change of changes) {
      const events = chain(10).map((event, index) => (index === 5 ? change(event) : event));
      expect(await faultsOf(events)).toEqual([
        { kind: 'changed', stream: 'ask-1', revision: 5, id: events[5]!.id },
      ]);
    }
  });

  it('shows a changed event whose own hash was made to fit at its successor', async () => {
    const events = chain(10);
    const forged = { ...events[5]!, data: { n: 99 } };
    forged.metadata = { ...forged.metadata, hash: recordedHash(events[4]!.metadata.hash, forged) };
    events[5] = forged;
    expect(await faultsOf(events)).toEqual([
      { kind: 'changed', stream: 'ask-1', revision: 6, id: events[6]!.id },
    ]);
  });

  it('names missing revisions at the start and in the middle, and cannot see that the end was cut', async () => {
    const events = chain(10);
    expect(await faultsOf(events.slice(2))).toEqual([missing(0, 1)]);
    expect(await faultsOf(events.toSpliced(4, 3))).toEqual([missing(4, 6)]);
    expect(await faultsOf(events.slice(0, 7))).toEqual([]);
  });

  it('notices a deleted event although all after it were renumbered', async () => {
    const events = chain(10)
      .toSpliced(4, 1)
      .map((event, index) => ({ ...event, revision: BigInt(index) }));
    expect((await faultsOf(events))[0]).toMatchObject({ kind: 'changed', revision: 4 });
  });

  it('names two events that changed places', async () => {
    for (const [a, b] of [
      [3, 4],
      [0, 9],
      [2, 7],
    ] as const) {
      expect(await faultsOf(exchange(chain(10), a, b))).toEqual([
        { kind: 'swapped', stream: 'ask-1', revision: a, with: b },
      ]);
    }
  });

  it('finds every single fault at any place', async () => {
    const kind = fc.constantFrom('change' as const, 'delete' as const, 'exchange' as const);
    const place = fc.tuple(fc.integer({ min: 1, max: 150 }), fc.nat(), fc.nat());
    await fc.assert(
      fc.asyncProperty(place, kind, async ([length, x, y], fault) => {
        const events = chain(length);
        const at = x % length;
        const other = Math.min(length - 1, at + 1 + (y % 60));
        fc.pre(fault !== 'exchange' || other !== at);
        const cases = {
          change: {
            events: events.with(at, { ...events[at]!, data: 'other' }),
            found: [{ kind: 'changed', stream: 'ask-1', revision: at, id: events[at]!.id }],
          },
          delete: {
            events: events.toSpliced(at, 1),
            // If the last event was deleted, nothing in the stream shows it.
            found: at === length - 1 ? [] : [missing(at, at)],
          },
          exchange: {
            events: exchange(events, at, other),
            found: [{ kind: 'swapped', stream: 'ask-1', revision: at, with: other }],
          },
        };
        expect(await faultsOf(cases[fault].events)).toEqual(cases[fault].found);
      }),
      { numRuns: 60 },
    );
  });
});
