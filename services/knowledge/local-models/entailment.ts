import type { Entailment } from '../../../actors/ask/entailment.ts';
import { readLogits } from './logits.ts';
import { LocalModelInvalid, ModelProcess, type Local, type ModelProcessOptions } from './process.ts';

/**
 * A cross-encoder of natural language inference from a folder. One of its labels must be called `entailment`; all
 * others, `neutral` and `contradiction` or whatever they are, say that it is none.
 *
 * @throws LocalModelInvalid
 */
export async function openEntailment(options: Omit<ModelProcessOptions, 'task'>): Promise<Local<Entailment>> {
  const { process, facts } = await ModelProcess.open({ ...options, task: 'pairs' });
  const label = facts.labels.findIndex((name) => /^entail/iu.test(name));
  if (label === -1 || facts.labels.length < 2) {
    await process.close();
    throw new LocalModelInvalid(
      options.setting,
      'it needs a label `entailment` and at least one other label',
    );
  }
  return {
    model: {
      name: facts.name,
      get ready() {
        return process.ready;
      },
      async entails(pairs, signal) {
        const input = { pairs: pairs.map(({ premise, hypothesis }) => [premise, hypothesis]), whole: true };
        const logits = readLogits(await process.run(input, signal), pairs.length, facts.labels.length);
        return logits.map((row) => (row === null ? null : softmax(row)[label]!));
      },
    },
    close: () => process.close(),
  };
}

function softmax(row: readonly number[]): number[] {
  const top = Math.max(...row);
  const powers = row.map((value) => Math.exp(value - top));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
