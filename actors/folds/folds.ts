import type { DomainEvent } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import type { StreamFold } from './fold.ts';
import { askFold, checkpointsFold, commentsFold, erasuresFold, indexFold } from './knowledge.ts';
import { marketFold, modelsFold, trainingFold } from './models.ts';
import { accountFold, paperBrokerFold } from './trading.ts';

/** One of each kind of stream. */
export const FOLDS: readonly StreamFold[] = [
  askFold,
  commentsFold,
  indexFold,
  erasuresFold,
  checkpointsFold,
  accountFold,
  paperBrokerFold,
  marketFold,
  trainingFold,
  modelsFold,
];

/** `undefined` for a stream of no kind that the system has. */
export function foldOf(stream: string): StreamFold | undefined {
  return FOLDS.find((fold) => fold.matches(stream));
}

/** `fold.evolve`, for an event that may be of another kind of stream. @throws {BelegError} `STREAM_CORRUPT` */
export function evolveWith<State>(
  fold: StreamFold<State>,
  state: State,
  event: DomainEvent<string, unknown>,
): State {
  if (!fold.types.includes(event.type)) {
    throw new BelegError('STREAM_CORRUPT', { detail: `${event.type} does not belong in ${fold.kind}` });
  }
  return fold.evolve(state, event);
}
