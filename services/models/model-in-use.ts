import { BelegError, isBelegError } from '../../events/errors.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { readWhole, writeDurably } from '../../kb/snapshot/file.ts';
import { initialWeights } from './configuration.ts';
import { MODEL_FEATURES } from './data/features.ts';
import type { ModelParts } from './model-parts.ts';
import { inferenceGraph } from './network/inference-graph.ts';
import { assertFits, readWeights, writeWeights, type Weights } from './weights/weights.ts';

/** Weights that predictions come from. */
export interface LoadedModel {
  /** SHA-256 of their file. */
  readonly hash: string;
  readonly weights: Weights;
}

/** The weights in use and the saved ones, on record and on disk. */
export class ModelInUse {
  readonly #options: ModelParts;
  #model: LoadedModel | null = null;
  /** Of the weights that could not be loaded again. */
  #fault: { readonly hash: string; readonly text: string } | null = null;

  constructor(options: ModelParts) {
    this.#options = options;
  }

  /** `null` where nothing was put to use yet, or cannot be read. */
  get model(): LoadedModel | null {
    return this.#model;
  }

  /** Why the weights last put to use are not in use. Safe for clients. */
  get fault(): string | null {
    return this.#fault?.text ?? null;
  }

  /** Loads what the record says is in use, and notes what the disk says is saved. Rejects as the record does. */
  async restore(call: CallContext): Promise<void> {
    const { models, logger } = this.#options;
    const { inUse } = models.state;
    if (inUse !== null && inUse.weights !== this.#model?.hash && inUse.weights !== this.#fault?.hash) {
      try {
        this.#use(await this.#find(inUse.weights, inUse.run));
      } catch (error) {
        logger.error({ err: error }, 'the weights that were in use cannot be loaded');
        this.#model = null;
        this.#fault = { hash: inUse.weights, text: textOf(error) };
      }
    }
    const saved = await this.#readSaved().catch(() => null);
    if (saved === null || saved.hash === models.state.saved?.weights) return;
    await this.#noteSaved(saved, call).catch((error: unknown) => {
      if (isBelegError(error)) throw error;
      logger.warn({ err: error }, 'model.onnx could not be written next to the saved weights');
    });
  }

  /**
   * Keeps the weights in use, or the initial ones where none are. Rejects with `MODEL_NOT_READY` where they cannot be
   * read, with `STORE_UNAVAILABLE` before anything is written, and with `SERVICE_UNAVAILABLE` where the disk refuses.
   */
  async save(ping: () => Promise<void>, call: CallContext): Promise<string> {
    const { files, settings, logger } = this.#options;
    if (this.#fault !== null) throw new BelegError('MODEL_NOT_READY', { detail: this.#fault.text });
    await ping();
    const weights = this.#model?.weights ?? initialWeights(settings);
    const hash = await this.#onDisk('The weights cannot be written to the disk', async () => {
      const hash = await writeWeights(files.savedWeights, weights);
      await this.#noteSaved({ hash, weights }, call);
      return hash;
    });
    logger.info({ weights: hash }, 'model saved');
    return hash;
  }

  /**
   * Puts the saved weights to use. Rejects with `WEIGHTS_MISSING`, `WEIGHTS_MISMATCH` or `WEIGHTS_DAMAGED`, with
   * `SERVICE_UNAVAILABLE` where the disk refuses, or as the record does: then what was in use stays in use. The same call again
   * changes nothing: `MODEL_NOT_READY` where what it has put to use is on another disk.
   */
  async load(call: CallContext): Promise<string> {
    const { models, logger } = this.#options;
    const saved = await this.#onDisk('The saved weights cannot be read from the disk', () =>
      this.#readSaved(),
    );
    const { hash, weights } = saved;
    await models.submit({ type: 'UseLoaded', weights: hash, run: weights.run }, call);
    // A call that comes again may have been done before, by a process whose disk holds others: that stands.
    const { inUse } = models.state;
    if (inUse !== null && inUse.weights !== hash) {
      if (this.#fault !== null) throw new BelegError('MODEL_NOT_READY', { detail: this.#fault.text });
      return inUse.weights;
    }
    this.#use(saved);
    logger.info({ weights: hash }, 'model loaded');
    return hash;
  }

  /** What the disk refuses is said without its path; the cause is for the log. */
  async #onDisk<T>(detail: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !('syscall' in error)) throw error;
      throw new BelegError('SERVICE_UNAVAILABLE', { detail, cause: error });
    }
  }

  #use(model: LoadedModel): void {
    this.#model = model;
    this.#fault = null;
  }

  /** What other programs read is beside the weights by then: a crash before is made good at the next start. */
  async #noteSaved({ hash, weights }: LoadedModel, call: CallContext): Promise<void> {
    const { models, files } = this.#options;
    await writeDurably(files.savedModel, await this.#encodedModel(weights));
    await models.submit({ type: 'NoteSaved', weights: hash, run: weights.run }, call);
  }

  /** As its run left it; making it takes longer than the event loop should wait, where the network is large. */
  async #encodedModel({ run, spec, parameters, scaler }: Weights): Promise<Uint8Array> {
    const left = run === null ? undefined : await readWhole(this.#options.files.trainedModel(run));
    return left ?? inferenceGraph(spec, { batch: 'any', parameters, scaler });
  }

  /** Where the run left them, or where they were saved. */
  async #find(hash: string, run: string | null): Promise<LoadedModel> {
    const { files } = this.#options;
    if (run !== null) {
      try {
        return await this.#read(files.trainedWeights(run), hash);
      } catch (error) {
        const saved = await this.#readSaved(hash).catch(() => null);
        if (saved === null) throw error;
        return saved;
      }
    }
    return this.#readSaved(hash);
  }

  #readSaved(hash?: string): Promise<LoadedModel> {
    return this.#read(this.#options.files.savedWeights, hash);
  }

  async #read(file: string, expectedHash?: string): Promise<LoadedModel> {
    const { hash, weights } = await readWeights(file, expectedHash);
    assertFits(weights, this.#options.settings.spec, MODEL_FEATURES);
    return { hash, weights };
  }
}

function textOf(error: unknown): string {
  if (isBelegError(error, 'WEIGHTS_MISSING'))
    return 'The file of the weights that were in use no longer exists';
  return isBelegError(error) ? error.message : 'The weights that were in use cannot be read';
}
