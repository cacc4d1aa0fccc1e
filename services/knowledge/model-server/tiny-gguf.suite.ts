import { writeFile } from 'node:fs/promises';

export interface TinyModel {
  /** The texts that the model says one after the other, whatever the prompt is. */
  readonly says: readonly string[];
  /** Whether the last text is repeated without an end. */
  readonly endless?: boolean;
  /** Layers that cost time by their width and change nothing. */
  readonly layers?: number;
  readonly width?: number;
  /** Text from which the parts of words are learned, so that prompts have a realistic number of tokens. */
  readonly text?: string;
}

/** Codes of tokens, values and tensors in the file. */
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6] as const;
const [UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY] = [4, 5, 6, 7, 8, 9] as const;
const F32 = 0;
const ALIGNMENT = 32;
const HEADS = 4;
const MERGES = 300;

const TEMPLATE =
  "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/**
 * Writes a language model of a megabyte or two for llama.cpp that says given texts: each token is a direction of its
 * own, layers add nothing, and the last matrix maps each token to the next.
 */
export async function writeTinyModel(file: string, model: TinyModel): Promise<void> {
  const { says, layers = 1, width = 64 } = model;
  const tokens = vocabulary(model);
  const ids = new Map(tokens.map(([text], id) => [text, id]));
  const size = Math.ceil(tokens.length / ALIGNMENT) * ALIGNMENT;
  const embedding = new Float32Array(tokens.length * size);
  for (let id = 0; id < tokens.length; id++) embedding[id * size + id] = 1;
  const following = new Float32Array(tokens.length * size);
  const end = ids.get('<|im_end|>')!;
  following.fill(0.05, end * size, (end + 1) * size);
  const follow = (from: number, to: number): void => void (following[to * size + from] = 10);
  const texts = says.map((text) => ids.get(inVocabulary(text))!);
  for (const [i, to] of texts.entries()) follow(i === 0 ? ids.get('<0x0A>')! : texts[i - 1]!, to);
  follow(texts.at(-1)!, model.endless === true ? texts.at(-1)! : end);

  const tensors: Tensor[] = [
    { name: 'token_embd.weight', shape: [size, tokens.length], data: embedding },
    { name: 'output.weight', shape: [size, tokens.length], data: following },
    { name: 'output_norm.weight', shape: [size], data: new Float32Array(size).fill(1) },
  ];
  for (let layer = 0; layer < layers; layer++) {
    const block = `blk.${layer}`;
    for (const part of ['attn_q', 'attn_k', 'attn_v', 'attn_output']) {
      tensors.push(zeros(`${block}.${part}.weight`, [size, size]));
    }
    tensors.push(
      zeros(`${block}.ffn_gate.weight`, [size, width]),
      zeros(`${block}.ffn_up.weight`, [size, width]),
      zeros(`${block}.ffn_down.weight`, [width, size]),
      { name: `${block}.attn_norm.weight`, shape: [size], data: new Float32Array(size).fill(1) },
      { name: `${block}.ffn_norm.weight`, shape: [size], data: new Float32Array(size).fill(1) },
    );
  }
  const facts: Fact[] = [
    ['general.architecture', STRING, 'llama'],
    ['general.name', STRING, 'tiny'],
    ['llama.context_length', UINT32, 32_768],
    ['llama.embedding_length', UINT32, size],
    ['llama.block_count', UINT32, layers],
    ['llama.feed_forward_length', UINT32, width],
    ['llama.attention.head_count', UINT32, HEADS],
    ['llama.attention.head_count_kv', UINT32, HEADS],
    ['llama.attention.layer_norm_rms_epsilon', FLOAT32, 1e-5],
    ['llama.rope.dimension_count', UINT32, size / HEADS],
    ['llama.vocab_size', UINT32, tokens.length],
    ['tokenizer.ggml.model', STRING, 'llama'],
    ['tokenizer.ggml.pre', STRING, 'default'],
    ['tokenizer.ggml.tokens', [ARRAY, STRING], tokens.map(([text]) => text)],
    ['tokenizer.ggml.scores', [ARRAY, FLOAT32], tokens.map(([, , score]) => score)],
    ['tokenizer.ggml.token_type', [ARRAY, INT32], tokens.map(([, kind]) => kind)],
    ['tokenizer.ggml.unknown_token_id', UINT32, 0],
    ['tokenizer.ggml.bos_token_id', UINT32, 1],
    ['tokenizer.ggml.eos_token_id', UINT32, end],
    ['tokenizer.ggml.add_bos_token', BOOL, false],
    ['tokenizer.ggml.add_space_prefix', BOOL, false],
    ['tokenizer.chat_template', STRING, TEMPLATE],
  ];
  await writeFile(file, Buffer.concat([...fileOf(facts, tensors)]));
}

const zeros = (name: string, shape: readonly number[]): Tensor => ({
  name,
  shape,
  data: new Float32Array(shape.reduce((a, b) => a * b)),
});

type Token = readonly [text: string, kind: number, score: number];

const inVocabulary = (text: string): string => text.replaceAll(' ', '▁');

/** Control tokens, bytes, the texts, and parts of words. Of two merges the one with the higher score is first. */
function vocabulary({ says, text = '' }: TinyModel): Token[] {
  const tokens = new Map<string, Token>();
  const add = (name: string, kind: number, score: number): void => {
    if (!tokens.has(name)) tokens.set(name, [name, kind, score]);
  };
  add('<unk>', UNKNOWN, 0);
  for (const name of ['<s>', '</s>', '<|im_start|>', '<|im_end|>']) add(name, CONTROL, 0);
  for (let byte = 0; byte < 256; byte++) {
    add(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, BYTE, 0);
  }
  let pieces = Array.from(inVocabulary(text.replaceAll(/\s+/gu, ' ')));
  for (const piece of new Set([...pieces, '▁'])) add(piece, NORMAL, -10_000);
  for (let merge = 0; merge < MERGES && pieces.length > 1; merge++) {
    const counts = new Map<string, number>();
    for (let i = 1; i < pieces.length; i++) {
      const pair = pieces[i - 1]! + pieces[i]!;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    const [best] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    add(best, NORMAL, -1 - merge);
    const joined: string[] = [];
    for (let i = 0; i < pieces.length; i++) {
      const [piece = '', next = ''] = pieces.slice(i, i + 2);
      const isPair = next !== '' && `${piece}${next}` === best;
      joined.push(isPair ? best : piece);
      if (isPair) i += 1;
    }
    pieces = joined;
  }
  for (const said of says) add(inVocabulary(said), NORMAL, -20_000);
  return [...tokens.values()];
}

interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}
type Fact = readonly [
  name: string,
  type: number | readonly [number, number],
  value: string | number | boolean | readonly (string | number)[],
];

function* fileOf(facts: readonly Fact[], tensors: readonly Tensor[]): Generator<Buffer> {
  const head = [
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(facts.length),
    ...facts.map(([name, type, value]) =>
      typeof type === 'number'
        ? Buffer.concat([string(name), u32(type), valueOf(type, value)])
        : Buffer.concat([
            string(name),
            u32(type[0]),
            u32(type[1]),
            u64((value as readonly unknown[]).length),
            ...(value as readonly (string | number)[]).map((each) => valueOf(type[1], each)),
          ]),
    ),
  ];
  let offset = 0;
  for (const { name, shape, data } of tensors) {
    head.push(string(name), u32(shape.length), ...shape.map(u64), u32(F32), u64(offset));
    offset += padded(data.byteLength);
  }
  const start = Buffer.concat(head);
  yield start;
  yield Buffer.alloc(padded(start.length) - start.length);
  for (const { data } of tensors) {
    yield Buffer.from(data.buffer);
    yield Buffer.alloc(padded(data.byteLength) - data.byteLength);
  }
}

const padded = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

function valueOf(type: number, value: unknown): Buffer {
  if (type === STRING) return string(String(value));
  if (type === BOOL) return Buffer.from([Number(value)]);
  const bytes = Buffer.alloc(4);
  if (type === FLOAT32) bytes.writeFloatLE(Number(value));
  else bytes.writeInt32LE(Number(value));
  return bytes;
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
