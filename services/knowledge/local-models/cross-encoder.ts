import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from '@xenova/transformers';
import { locateModel, type ModelOptions } from '../../../kb/locate-model.ts';
import { Pairs, type Logits } from './messages.ts';
import type { Task } from './task.ts';

/** The pairs in one run of the model. */
const BATCH = 8;

interface Config {
  readonly model_type?: string;
  readonly max_position_embeddings?: number;
  readonly id2label?: Readonly<Record<string, string>>;
}

/** A cross-encoder, which reads two texts together and returns a number for each of its labels. */
export async function openPairs(options: ModelOptions): Promise<Task> {
  const { transformers, id, options: kind, name } = await locateModel(options);
  const { AutoModelForSequenceClassification, AutoTokenizer } = transformers;
  const tokenizer = await AutoTokenizer.from_pretrained(id);
  const model = await AutoModelForSequenceClassification.from_pretrained(id, kind);
  const config = model.config as unknown as Config;
  const labels = Object.entries(config.id2label ?? {})
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, label]) => label);
  const room = roomOf(tokenizer, config);
  return {
    facts: { name, labels },
    async run(input, isCancelled) {
      const { pairs, whole } = Pairs.parse(input);
      const logits: Logits = pairs.map(() => null);
      const lengths = pairs.map(([a, b]) => tokenizer.encode(a, { text_pair: b }).length);
      // Batches have pairs of similar length, because padding tokens cost as much computation as real ones.
      const order = pairs
        .map((_, i) => i)
        .filter((i) => !whole || lengths[i]! <= room)
        .sort((a, b) => lengths[a]! - lengths[b]! || a - b);
      for (let from = 0; from < order.length && !isCancelled(); from += BATCH) {
        const batch = order.slice(from, from + BATCH);
        const found = await classify(
          tokenizer,
          model,
          batch.map((i) => pairs[i]!),
          room,
        );
        for (const [k, i] of batch.entries()) logits[i] = found[k]!;
      }
      return logits;
    },
  };
}

async function classify(
  tokenizer: PreTrainedTokenizer,
  model: PreTrainedModel,
  pairs: readonly (readonly [string, string])[],
  room: number,
): Promise<number[][]> {
  const inputs: unknown = tokenizer(
    pairs.map(([a]) => a),
    { text_pair: pairs.map(([, b]) => b), padding: true, truncation: true, max_length: room },
  );
  const { logits } = (await model(inputs)) as { logits: Tensor };
  return (logits.tolist() as number[][]).map((row) => row.map(Number));
}

/** The most tokens that the model reads at once. Models like RoBERTa reserve two positions that no token can have. */
function roomOf(tokenizer: PreTrainedTokenizer, { model_type, max_position_embeddings }: Config): number {
  const offset = /roberta|camembert/u.test(model_type ?? '') ? 2 : 0;
  return Math.min(tokenizer.model_max_length, (max_position_embeddings ?? 512) - offset);
}
