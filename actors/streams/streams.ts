import type { DomainEvent } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import type { AnyStream } from './define-stream.ts';
import { ASK, CHECKPOINTS, COMMENTS, ERASURES, INDEX } from './knowledge.ts';
import { MARKET, MODELS, TRAINING } from './models.ts';
import { ACCOUNT, PAPER_BROKER } from './trading.ts';

/** The definition of each kind of stream. */
export const STREAMS: readonly AnyStream[] = [
  ASK,
  COMMENTS,
  INDEX,
  ERASURES,
  CHECKPOINTS,
  ACCOUNT,
  PAPER_BROKER,
  MARKET,
  TRAINING,
  MODELS,
];

/** The kind of a stream; `undefined` if its name belongs to no kind. */
export function kindOf(stream: string): AnyStream | undefined {
  return STREAMS.find((definition) => definition.matches(stream));
}

/**
 * The state after an event of any kind of stream.
 *
 * @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal now.
 */
export function evolveRecorded(
  definition: AnyStream,
  state: unknown,
  event: DomainEvent<string, unknown>,
): unknown {
  if (!definition.types.includes(event.type)) {
    throw new BelegError('STREAM_CORRUPT', {
      detail: `${event.type} does not belong in a stream of kind ${definition.kind}`,
    });
  }
  return definition.evolve(state, event);
}
