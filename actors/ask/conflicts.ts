import type { Hit, Source } from '../../kb/knowledge.ts';
import type { Statement } from './render.ts';

/** One side of a contradiction: a verbatim sentence and the source that has it. */
export interface Side {
  readonly text: string;
  readonly source: Source;
}

export function findConflicts(
  _question: string,
  _hits: readonly Hit[],
  _statements: readonly Statement[],
): readonly (readonly Side[])[] {
  return [];
}
