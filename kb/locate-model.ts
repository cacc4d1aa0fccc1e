import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type * as Transformers from '@xenova/transformers';

export interface ModelOptions {
  /** Folder of a model as transformers.js lays it out; a hub name where `allowRemote` is true. */
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

/** Files of `onnx/` by what their numbers are, the most exact first, as transformers.js names them. */
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
  /** What its loaders are to be given. */
  readonly id: string;
  readonly options: { readonly dtype?: keyof typeof DTYPES };
  /** `null` for one from the hub. */
  readonly folder: string | null;
  /** The name that answers and health show. */
  readonly name: string;
}

/**
 * The library, set up so that it loads this model and fetches nothing unless that is allowed. Its settings are global:
 * load before another model is located.
 *
 * @throws ModelUnusable where there is no such model, or where ONNX Runtime would send telemetry
 */
export async function locateModel({ model, allowRemote }: ModelOptions): Promise<LocatedModel> {
  // ONNX Runtime reads it once, when it loads: in an environment without it nothing may be imported.
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
