import { BelegError, isBelegError } from '../../events/errors.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { predictedSessions, type PredictedSession } from '../backtest/predicted-sessions.ts';
import type { ModelSettings } from '../models/settings.ts';
import { MODEL_FEATURES } from '../models/data/model-features.ts';
import { openPredictor } from '../models/inference/predictor.ts';
import { modelFiles } from '../models/model-files.ts';
import { threadsOf } from '../models/onnx-runtime/threads.ts';
import { assertFits, readWeights, type Weights } from '../models/weights/weights.ts';

/** A network for a backtest. */
export type SignalModel = Awaited<ReturnType<typeof loadSignalModel>>;

/**
 * Loads weights from a file, for any network, or by default the saved weights of the configured network. Rejects with
 * `WEIGHTS_MISSING`, `WEIGHTS_DAMAGED` or `WEIGHTS_MISMATCH`.
 */
export async function loadSignalModel(
  file: string | undefined,
  { spec, folder }: Pick<ModelSettings, 'spec' | 'folder'>,
) {
  const { weights, hash } = await read(file ?? modelFiles(folder).savedWeights);
  assertFits(weights, file === undefined ? spec : weights.spec, MODEL_FEATURES);
  const { trainedUntil } = weights;
  return {
    weights: hash,
    trainedUntil,
    /** The first session that was not used in training; `null` if all were used. */
    outOfSample(sessions: readonly SessionData[]): string | null {
      if (trainedUntil === null) return null;
      const first = sessions.find(({ date }) => date > trainedUntil);
      if (first !== undefined) return first.date;
      throw new Error(
        `the model was trained on all sessions (until ${trainedUntil}); you can test it on them with --from, but that proves little`,
      );
    },
    /** The predictions after each session, from a day on. */
    sessions: (sessions: readonly SessionData[], from: string | null) => predict(weights, sessions, from),
  };
}

async function* predict(
  weights: Weights,
  sessions: readonly SessionData[],
  from: string | null,
): AsyncGenerator<PredictedSession> {
  const predictor = await openPredictor(weights, { threads: threadsOf(null) });
  try {
    yield* predictedSessions(sessions, { predictor, sequenceLength: weights.spec.sequence_length, from });
  } finally {
    await predictor.close();
  }
}

async function read(file: string): ReturnType<typeof readWeights> {
  try {
    return await readWeights(file);
  } catch (error) {
    if (!isBelegError(error, 'WEIGHTS_MISSING')) throw error;
    const detail = `there is no file ${file}; train and save a model first, or name a file with --weights`;
    throw new BelegError('WEIGHTS_MISSING', { detail, cause: error.cause });
  }
}
