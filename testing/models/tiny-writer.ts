import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { INT64, OnnxGraph } from './onnx.ts';

const UNKNOWN = '<unk>';
const END = '<eos>';

export interface TinyWriter {
  /** The text that it writes for every prompt. */
  readonly says: string;
  /** Whether it repeats the text without an end. */
  readonly endless?: boolean;
  readonly chatTemplate?: string;
  /** The most tokens of prompt and reply together. */
  readonly maxLength?: number;
}

/**
 * Writes a causal language model with one reply, in the layout of transformers.js. Each token follows from the one
 * before; the first follows any token that is not in the reply.
 */
export async function writeTinyWriter(folder: string, model: TinyWriter): Promise<void> {
  const { says, endless = false, chatTemplate, maxLength = 32_768 } = model;
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const vocabulary = [UNKNOWN, END, ...distinctPieces(says)];
  const files: Record<string, string | Buffer> = {
    'onnx/model.onnx': writer(vocabulary, endless),
    'tokenizer.json': JSON.stringify(tokenizer(vocabulary)),
    'tokenizer_config.json': JSON.stringify({
      tokenizer_class: 'GPT2Tokenizer',
      unk_token: UNKNOWN,
      eos_token: END,
      ...(chatTemplate === undefined ? {} : { chat_template: chatTemplate }),
    }),
    'config.json': JSON.stringify({
      model_type: 'gpt2',
      architectures: ['GPT2LMHeadModel'],
      n_embd: 4,
      n_head: 1,
      n_layer: 1,
      n_positions: maxLength,
      vocab_size: vocabulary.length,
      eos_token_id: 1,
    }),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

/** Splits a text into different pieces of four letters or more, so that each shows its position. */
function distinctPieces(text: string): string[] {
  const pieces = new Set<string>();
  let piece = '';
  for (const letter of text) {
    piece += letter;
    if (piece.length < 4 || pieces.has(piece)) continue;
    pieces.add(piece);
    piece = '';
  }
  // No piece is a single letter, so that the tokenizer finds none of them in a prompt.
  const [last = '', ...before] = [...pieces].reverse();
  return [...before.reverse(), last + piece];
}

function writer(vocabulary: readonly string[], endless: boolean): Buffer {
  const size = vocabulary.length;
  const graph = new OnnxGraph();
  const next = new Float32Array(size * size);
  for (let token = 0; token < size; token++) {
    const follows = token < 2 ? 2 : token + 1 < size ? token + 1 : endless ? 2 : 1;
    next[token * size + follows] = 1;
  }
  const ids = graph.input('input_ids', INT64, ['batch', 'tokens']);
  graph.output(graph.node('Gather', [graph.weight('next', [size, size], next), ids]), 'logits', [
    'batch',
    'tokens',
    size,
  ]);
  return graph.encode('tiny-writer');
}

function tokenizer(vocabulary: readonly string[]): object {
  const special = [UNKNOWN, END].map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: null,
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: { type: 'Fuse' },
    model: {
      type: 'BPE',
      unk_token: UNKNOWN,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
      merges: [],
    },
  };
}
