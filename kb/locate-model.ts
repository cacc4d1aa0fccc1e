import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type * as Transformers from '@xenova/transformers';

export interface ModelOptions {
  /**
   * The folder of a model in the layout of transformers.js, or the name of a model on the hub if `allowRemote` is true.
   */
  readonly model: string;
  readonly allowRemote: boolean;
}

/** A model cannot be used; the message says why, without its path. */
export class ModelUnusable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'ModelUnusable';
  }
}

/** The files in `onnx/` by precision, the most exact first, with the names in transformers.js. */
const DTYPES = {
  fp32: 'model.onnx',
  fp16: 'model_fp16.onnx',
  q8: 'model_quantized.onnx',
  int8: 'model_int8.onnx',
  uint8: 'model_uint8.onnx',
  q4: 'model_q4.onnx',
  q4f16: 'model_q4f16.onnx',
  bnb4: 'model_bnb4.onnx',
} as const;

interface LocatedModel {
  readonly transformers: typeof Transformers;
  /** The name for the loaders of transformers.js. */
  readonly id: string;
  readonly options: { readonly dtype?: keyof typeof DTYPES };
  /** The folder of the model; `null` for a model from the hub. */
  readonly folder: string | null;
  /** The name in answers and health. */
  readonly name: string;
}

/**
 * Configures the library to load this model, and to download nothing unless that is allowed. Its settings are global,
 * so load the model before the next one is located.
 *
 * @throws {ModelUnusable} if there is no such model, or if ONNX Runtime would send telemetry.
 */
export async function locateModel({ model, allowRemote }: ModelOptions): Promise<LocatedModel> {
  // ONNX Runtime reads this variable once when it loads, so it must be set before the import.
  if (process.env['ORT_DISABLE_TELEMETRY'] !== '1') {
    throw new ModelUnusable('ORT_DISABLE_TELEMETRY=1 must be set in the environment');
  }
  const folder = existsSync(model) ? resolve(model) : null;
  if (folder === null && !allowRemote) throw new ModelUnusable('the folder does not exist');
  const dtype = folder === null ? undefined : dtypeOf(folder);
  const transformers = await import('@xenova/transformers');
  transformers.env.allowRemoteModels = allowRemote && folder === null;
  transformers.env.allowLocalModels = true;
  if (folder !== null) transformers.env.localModelPath = dirname(folder);
  const name = basename(model);
  return {
    transformers,
    id: folder === null ? model : name,
    options: dtype === undefined ? {} : { dtype },
    folder,
    name,
  };
}

function dtypeOf(folder: string): keyof typeof DTYPES {
  const found = Object.entries(DTYPES).find(([, file]) => existsSync(join(folder, 'onnx', file)));
  if (found === undefined)
    throw new ModelUnusable('its folder has no onnx/model.onnx or another variant of it');
  return found[0] as keyof typeof DTYPES;
}
