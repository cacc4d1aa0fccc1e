import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FLOAT, INT64, OnnxGraph } from './onnx.ts';
import { tokenizer, TOKENIZER_CONFIG, VOCABULARY } from './tiny-model.ts';

export interface TinyClassifier {
  readonly labels: readonly string[];
  /** What each label gets for every word of the second text that begins with this letter; nothing for other letters. */
  readonly weights: Readonly<Record<string, readonly number[]>>;
  /** The initial score of each label. */
  readonly bias: readonly number[];
  /** The most tokens of both texts. */
  readonly maxLength?: number;
}

/**
 * Writes a model that classifies pairs of texts by the letters of the second one, in the layout of transformers.js, so
 * that its output can be predicted.
 */
export async function writeTinyClassifier(folder: string, model: TinyClassifier): Promise<void> {
  const { labels, maxLength = 64 } = model;
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const files: Record<string, string | Buffer> = {
    'onnx/model.onnx': classifier(model),
    'tokenizer.json': JSON.stringify(tokenizer()),
    'tokenizer_config.json': JSON.stringify({ ...TOKENIZER_CONFIG, model_max_length: maxLength }),
    'config.json': JSON.stringify({
      model_type: 'bert',
      architectures: ['BertForSequenceClassification'],
      vocab_size: VOCABULARY.length,
      max_position_embeddings: maxLength,
      id2label: Object.fromEntries(labels.entries()),
    }),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

function classifier({ labels, weights, bias }: TinyClassifier): Buffer {
  const graph = new OnnxGraph();
  const none = labels.map(() => 0);
  const rows = VOCABULARY.flatMap((word) => weights[word] ?? none);
  const ids = graph.input('input_ids', INT64, ['batch', 'tokens']);
  const mask = graph.input('attention_mask', INT64, ['batch', 'tokens']);
  const types = graph.input('token_type_ids', INT64, ['batch', 'tokens']);
  const words = graph.node('Gather', [graph.floats(rows, [VOCABULARY.length, labels.length]), ids]);
  const second = graph.node('Cast', [graph.node('Mul', [mask, types])], { to: FLOAT });
  const counted = graph.node('Mul', [words, graph.node('Unsqueeze', [second, graph.ints([2])])]);
  const sum = graph.node('ReduceSum', [counted, graph.ints([1])], { keepdims: 0 });
  const logits = graph.node('Add', [sum, graph.floats(bias)]);
  graph.output(logits, 'logits', ['batch', labels.length]);
  return graph.encode('tiny-classifier');
}
