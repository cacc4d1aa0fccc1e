import { BelegError, isBelegError } from '../../events/errors.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { isSystemError } from '../../events/system-error.ts';
import { readWhole, writeDurably } from '../../kb/snapshot/durable-file.ts';
import { initialWeights } from './configuration.ts';
import { MODEL_FEATURES } from './data/model-features.ts';
import type { ModelParts } from './model-parts.ts';
import { inferenceGraph } from './network/inference-graph.ts';
import { assertFits, readWeights, writeWeights, type Weights } from './weights/weights.ts';

/** Weights that predictions are made with. */
export interface LoadedModel {
  /** SHA-256 of the file with the weights. */
  readonly hash: string;
  readonly weights: Weights;
}

/** The weights in use and the saved weights, in the record and on disk. */
export function modelInUse({ models, files, settings, logger }: ModelParts) {
  let loaded: LoadedModel | null = null;
  /** The weights that could not be loaded, and the error text; `null` if loading succeeded. */
  let failed: { readonly hash: string; readonly text: string } | null = null;

  function use(model: LoadedModel): void {
    loaded = model;
    failed = null;
  }

  /**
   * Writes the files for other programs, then records the weights as saved. If a crash comes between the two, the next
   * start repeats both.
   */
  async function noteSaved({ hash, weights }: LoadedModel, call: CallContext): Promise<void> {
    await writeDurably(files.savedModel, await encodedModel(weights));
    await models.submit({ type: 'note-saved', weights: hash, run: weights.run }, call);
  }

  /** The model file that the run left on disk, because encoding a large network would block the event loop too long. */
  async function encodedModel({ run, spec, parameters, scaler }: Weights): Promise<Uint8Array> {
    const left = run === null ? undefined : await readWhole(files.trainedModel(run));
    return left ?? inferenceGraph(spec, { batch: 'any', parameters, scaler });
  }

  /** Finds weights in the folder of their run, or among the saved ones. */
  async function find(hash: string, run: string | null): Promise<LoadedModel> {
    if (run !== null) {
      try {
        return await readFrom(files.trainedWeights(run), hash);
      } catch (error) {
        const saved = await readSaved(hash).catch(() => null);
        if (saved === null) throw error;
        return saved;
      }
    }
    return readSaved(hash);
  }

  function readSaved(hash?: string): Promise<LoadedModel> {
    return readFrom(files.savedWeights, hash);
  }

  async function readFrom(file: string, expectedHash?: string): Promise<LoadedModel> {
    const { hash, weights } = await readWeights(file, expectedHash);
    assertFits(weights, settings.spec, MODEL_FEATURES);
    return { hash, weights };
  }

  return {
    /** The weights in use; `null` if no weights were put to use yet, or they cannot be read. */
    get model(): LoadedModel | null {
      return loaded;
    },
    /** Why the last weights that were put to use cannot be used. It may be shown to clients. */
    get fault(): string | null {
      return failed?.text ?? null;
    },
    /**
     * Loads the weights that are in use according to the record. If other weights are saved on disk, they are recorded
     * as the saved ones. Rejects if the record cannot be written.
     */
    async restore(call: CallContext): Promise<void> {
      const { inUse } = models.state;
      if (inUse !== null && inUse.weights !== loaded?.hash && inUse.weights !== failed?.hash) {
        try {
          use(await find(inUse.weights, inUse.run));
        } catch (error) {
          logger.error({ err: error }, 'the weights that were in use cannot be loaded');
          loaded = null;
          failed = { hash: inUse.weights, text: textOf(error) };
        }
      }
      const saved = await readSaved().catch(() => null);
      if (saved === null || saved.hash === models.state.saved?.weights) return;
      await noteSaved(saved, call).catch((error: unknown) => {
        if (isBelegError(error)) throw error;
        logger.warn({ err: error }, 'model.onnx could not be written next to the saved weights');
      });
    },
    /**
     * Saves the weights in use, or the initial ones if there are none. Rejects with `MODEL_NOT_READY` if they cannot be
     * read, with `STORE_UNAVAILABLE` before anything is written, and with `SERVICE_UNAVAILABLE` if the disk fails.
     */
    async save(ping: () => Promise<void>, call: CallContext): Promise<string> {
      if (failed !== null) throw new BelegError('MODEL_NOT_READY', { detail: failed.text });
      await ping();
      const weights = loaded?.weights ?? initialWeights(settings);
      const hash = await onDisk('The weights cannot be written to the disk', async () => {
        const hash = await writeWeights(files.savedWeights, weights);
        await noteSaved({ hash, weights }, call);
        return hash;
      });
      logger.info({ weights: hash }, 'model saved');
      return hash;
    },
    /**
     * Puts the saved weights to use. Rejects with `WEIGHTS_MISSING`, `WEIGHTS_MISMATCH` or `WEIGHTS_DAMAGED`, with
     * `SERVICE_UNAVAILABLE` if the disk fails, or if the record cannot be written; the weights in use then stay. A
     * repeated call changes nothing; it rejects with `MODEL_NOT_READY` if the weights that the first call put to use
     * are on another disk.
     */
    async load(call: CallContext): Promise<string> {
      const saved = await onDisk('The saved weights cannot be read from the disk', () => readSaved());
      const { hash, weights } = saved;
      await models.submit({ type: 'use-loaded', weights: hash, run: weights.run }, call);
      // The call may have been handled before by a process with another disk; then its result stands.
      const { inUse } = models.state;
      if (inUse !== null && inUse.weights !== hash) {
        if (failed !== null) throw new BelegError('MODEL_NOT_READY', { detail: failed.text });
        return inUse.weights;
      }
      use(saved);
      logger.info({ weights: hash }, 'model loaded');
      return hash;
    },
  };
}

export type ModelInUse = ReturnType<typeof modelInUse>;

/** Rejects with an error without the path if the disk refuses. The cause is for the log. */
async function onDisk<T>(detail: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new BelegError('SERVICE_UNAVAILABLE', { detail, cause: error });
  }
}

function textOf(error: unknown): string {
  if (isBelegError(error, 'WEIGHTS_MISSING'))
    return 'The file of the weights that were in use no longer exists';
  return isBelegError(error) ? error.message : 'The weights that were in use cannot be read';
}
