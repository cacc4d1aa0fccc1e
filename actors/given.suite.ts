import { expect } from 'vitest';
import type { DomainEvent } from '../events/define.ts';
import type { DraftOf } from '../events/catalog/catalog.ts';
import type { StreamDefinition } from './streams/define-stream.ts';

/** What a decider decides on: of an event that which `evolve` reads. */
type History<Event> = readonly (Event | DraftOf<Event>)[];

/**
 * A decider as its kind of stream has it, from what is on record to what follows.
 *
 * @example given(ASK, ...answered).when(rateUp).then(rated);
 * @example given(ASK).when(rateUp).refuses('UNKNOWN_REQUEST_ID');
 */
export function given<State, Command, Event extends DomainEvent<string, unknown>>(
  kind: StreamDefinition<State, Command, Event, void>,
  ...history: History<Event>
) {
  const fold = (): State =>
    // `evolve` reads type and data, and where a state keeps it the id: a draft is as good where it does not.
    history.reduce<State>((state, event) => kind.evolve(state, event as Event), kind.initial());
  return {
    get state(): State {
      return fold();
    },
    when: (command: Command) => ({
      thenNothing(): void {
        expect(kind.decide(command, fold())).toEqual([]);
      },
      /** These follow, in this order. */
      // oxlint-disable-next-line unicorn/no-thenable -- the field's word, and nobody awaits it
      then(...drafts: readonly object[]): void {
        expect(kind.decide(command, fold())).toEqual(drafts);
      },
      /** Like `then`, for the named members only. */
      thenLike(...drafts: readonly object[]): void {
        expect(kind.decide(command, fold())).toMatchObject(drafts);
      },
      refuses(code: string): void {
        expect(() => kind.decide(command, fold())).toThrow(expect.objectContaining({ code }) as Error);
      },
    }),
    /** The history itself is not legal. */
    isCorrupt(): void {
      expect(fold).toThrow(expect.objectContaining({ code: 'STREAM_CORRUPT' }) as Error);
    },
  };
}
