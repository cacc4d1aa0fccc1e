import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FLOAT, INT64, OnnxGraph } from './onnx.ts';

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
export const VOCABULARY = [
  ...SPECIAL,
  ...'abcdefghijklmnopqrstuvwxyz'.split('').flatMap((letter) => [letter, `##${letter}`]),
];

/**
 * Writes a one-layer BERT with random weights into `folder`, in the layout of transformers.js. It only serves to test
 * the path from text to vector. The same seed gives the same bytes.
 */
export async function writeTinyModel(folder: string, { dimensions = 32, seed = 1 } = {}): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const files: Record<string, string | Buffer> = {
    'onnx/model.onnx': encoder(dimensions, seed),
    'tokenizer.json': JSON.stringify(tokenizer()),
    'tokenizer_config.json': JSON.stringify(TOKENIZER_CONFIG),
    'config.json': JSON.stringify({
      model_type: 'bert',
      architectures: ['BertModel'],
      hidden_size: dimensions,
      vocab_size: VOCABULARY.length,
      max_position_embeddings: 64,
      num_hidden_layers: 1,
      num_attention_heads: 1,
    }),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

function encoder(dimensions: number, seed: number): Buffer {
  const graph = new OnnxGraph();
  const random = numbers(seed);
  const weight = (name: string, dims: readonly number[], scale: number): string => {
    const count = dims.reduce((product, dim) => product * dim, 1);
    return graph.weight(
      name,
      dims,
      Float32Array.from({ length: count }, () => (random() * 2 - 1) * scale),
    );
  };
  const square = [dimensions, dimensions];
  const ids = graph.input('input_ids', INT64, ['batch', 'tokens']);
  const mask = graph.input('attention_mask', INT64, ['batch', 'tokens']);
  const types = graph.input('token_type_ids', INT64, ['batch', 'tokens']);
  const words = graph.node('Gather', [weight('words', [VOCABULARY.length, dimensions], 1), ids]);
  const kinds = graph.node('Gather', [weight('kinds', [2, dimensions], 0.1), types]);
  const embedded = graph.node('Add', [words, kinds]);
  const scale = 1 / Math.sqrt(dimensions);
  const [query, key, value] = ['query', 'key', 'value'].map((name) =>
    graph.node('MatMul', [embedded, weight(name, square, scale)]),
  );
  const likeness = graph.node('MatMul', [query!, graph.node('Transpose', [key!], { perm: [0, 2, 1] })]);
  const padding = graph.node('Sub', [graph.floats([1], []), graph.node('Cast', [mask], { to: FLOAT })]);
  const bias = graph.node('Unsqueeze', [
    graph.node('Mul', [padding, graph.floats([-1e4], [])]),
    graph.ints([1]),
  ]);
  const scaled = graph.node('Mul', [likeness, graph.floats([scale], [])]);
  const attention = graph.node('Softmax', [graph.node('Add', [scaled, bias])], { axis: -1 });
  const mixed = graph.node('Add', [embedded, graph.node('MatMul', [attention, value!])]);
  graph.output(mixed, 'last_hidden_state', ['batch', 'tokens', dimensions]);
  return graph.encode('tiny-bert');
}

export const TOKENIZER_CONFIG = {
  tokenizer_class: 'BertTokenizer',
  do_lower_case: true,
  model_max_length: 64,
  pad_token: '[PAD]',
  unk_token: '[UNK]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  mask_token: '[MASK]',
};

/** Letters are its words; the first and second text are distinguished by their types. */
export function tokenizer(): object {
  const template = [
    { SpecialToken: { id: '[CLS]', type_id: 0 } },
    { Sequence: { id: 'A', type_id: 0 } },
    { SpecialToken: { id: '[SEP]', type_id: 0 } },
  ];
  const second = [{ Sequence: { id: 'B', type_id: 1 } }, { SpecialToken: { id: '[SEP]', type_id: 1 } }];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map(specialToken),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: template,
      pair: [...template, ...second],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((word, id) => [word, id])),
    },
  };
}

function specialToken(content: string, id: number): object {
  return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
}

/** Park and Miller's generator of numbers from 0 to below 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
