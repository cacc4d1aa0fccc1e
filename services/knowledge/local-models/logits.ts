import { BelegError } from '../../../events/errors.ts';
import { Logits } from './messages.ts';

/** A number for each label of each pair, or `null`. Rejects anything else: a verdict must not rest on it. */
export function readLogits(output: unknown, pairs: number, labels: number): Logits {
  const logits = Logits.safeParse(output);
  if (
    !logits.success ||
    logits.data.length !== pairs ||
    logits.data.some((row) => (row?.length ?? labels) !== labels)
  ) {
    throw new BelegError('MODEL_UNAVAILABLE', {
      detail: 'The output of the model does not have the expected form',
    });
  }
  return logits.data;
}
