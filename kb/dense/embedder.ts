import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { locateModel, ModelUnusable, type ModelOptions } from '../locate-model.ts';

/** Turns texts into vectors of length 1. */
export interface Embedder {
  readonly name: string;
  /** A hash of the model's files: vectors of different models are never mixed. */
  readonly hash: string;
  /** One vector for each text, in the order of the texts. Rejects after `close`. */
  embed(texts: readonly string[]): Promise<Float32Array>;
  /** Closes after the current work. */
  close(): Promise<void>;
}

/**
 * Loads an embedding model. Nothing is downloaded unless `allowRemote` is true.
 *
 * @throws ModelUnusable if the model is missing or broken, or if ONNX Runtime would send telemetry
 */
export async function openEmbedder(embedding: ModelOptions): Promise<Embedder> {
  const { extractor, folder, name } = await load(embedding).catch((cause: unknown) => {
    const reason = cause instanceof ModelUnusable ? cause.message : 'it cannot be loaded';
    throw new ModelUnusable(`the embedding model cannot be used: ${reason}`, { cause });
  });
  let isClosed = false;
  let running: Promise<unknown> = Promise.resolve();
  const pooling = folder === null ? 'mean' : await poolingOf(folder);
  return {
    name,
    hash: await hashOfModel(embedding),
    async embed(texts) {
      // A closed model is reported here, because the library would print the text of the input in its error.
      if (isClosed) throw new Error('the embedding model is closed');
      const run = extractor([...texts], { pooling, normalize: true });
      running = Promise.allSettled([running, run]);
      const output = await run;
      return Float32Array.from(output.data as Float32Array);
    },
    async close() {
      isClosed = true;
      await running;
      await extractor.dispose();
    },
  };
}

async function load(embedding: ModelOptions) {
  const { transformers, id, options, folder, name } = await locateModel(embedding);
  const extractor = await transformers.pipeline('feature-extraction', id, { dtype: 'fp32', ...options });
  return { extractor, folder, name };
}

/** The pooling in `1_Pooling/config.json` of the sentence-transformers layout, by default the mean of the tokens. */
async function poolingOf(folder: string): Promise<'cls' | 'mean'> {
  const file = join(folder, '1_Pooling', 'config.json');
  if (!existsSync(file)) return 'mean';
  const config = JSON.parse(await readFile(file, 'utf8')) as { pooling_mode_cls_token?: boolean };
  return config.pooling_mode_cls_token === true ? 'cls' : 'mean';
}

/** A hash of the files of a local model; the name of a model from the hub. */
export async function hashOfModel({ model }: ModelOptions): Promise<string> {
  if (!existsSync(model)) return `hub:${model}`;
  const hash = createHash('sha256');
  const files = await readdir(model, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort()) hash.update(path.slice(model.length)).update(await readFile(path));
  return hash.digest('hex');
}
