import type { Reranker } from '../../../actors/ask/rerank.ts';
import { readLogits } from './logits.ts';
import { LocalModelInvalid, ModelProcess, type Local, type ModelProcessOptions } from './process.ts';

/**
 * A cross-encoder from a folder that scores how well a text answers a question: by one number, or by two of which the
 * second speaks for it.
 *
 * @throws LocalModelInvalid
 */
export async function openReranker(options: Omit<ModelProcessOptions, 'task'>): Promise<Local<Reranker>> {
  const { process, facts } = await ModelProcess.open({ ...options, task: 'pairs' });
  const labels = facts.labels.length;
  if (labels !== 1 && labels !== 2) {
    await process.close();
    throw new LocalModelInvalid(
      options.setting,
      `it has ${labels} labels, but a reranker must have one or two`,
    );
  }
  return {
    model: {
      name: facts.name,
      get ready() {
        return process.ready;
      },
      async score(question, texts, signal) {
        // A long text is cut: its beginning is enough to order by.
        const input = { pairs: texts.map((text) => [question, text]), whole: false };
        const logits = readLogits(await process.run(input, signal), texts.length, labels);
        // The first label of two speaks against it.
        return logits.map((row) =>
          row === null ? Number.NEGATIVE_INFINITY : row.at(-1)! - (row.length === 2 ? row[0]! : 0),
        );
      },
    },
    close: () => process.close(),
  };
}
