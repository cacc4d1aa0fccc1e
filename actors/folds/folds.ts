import { createHash } from 'node:crypto';
import type { DomainEvent } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import { canonicalJson, type Json } from '../../events/json.ts';
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

/** SHA-256 of the canonical JSON of a state: the same live, on replay, and from snapshot plus tail. Lower-case hexadecimal. */
export function hashOf<State>(fold: StreamFold<State>, state: State): string {
  if (fold.hash !== undefined) return fold.hash(state);
  return createHash('sha256')
    .update(canonicalJson(fold.toJson(state)))
    .digest('hex');
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

/** A state for people. */
export function readableOf<State>(fold: StreamFold<State>, state: State): Json {
  return fold.readable?.(state) ?? fold.toJson(state);
}

/** A state as text, to be kept. */
export function linesOf<State>(fold: StreamFold<State>, state: State): string[] {
  return fold.lines === undefined ? [JSON.stringify(fold.toJson(state))] : fold.lines.write(state);
}

/** Of what `linesOf` wrote. Throws for anything else. */
export function stateFrom<State>(fold: StreamFold<State>, lines: readonly string[]): State {
  return fold.lines === undefined ? fold.fromJson(JSON.parse(lines[0]!) as Json) : fold.lines.read(lines);
}
