import type { Forecast } from '../../actors/strategy/forecast.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { createPanel, type PanelWindow } from '../models/data/panel.ts';
import type { Predictor } from '../models/inference/predictor.ts';

export interface PredictedSession {
  readonly session: SessionData;
  /** The predictions for the next day, by ticker. Missing if no model was used. */
  readonly predictions?: ReadonlyMap<string, Forecast>;
}

/** The number of windows in one batch. */
const CHUNK = 512;

/**
 * All sessions in order; those from a day on have predictions for the next day, from the same windows as in live
 * trading, so that no later session is used. Rejects as the predictor does.
 */
export async function* predictedSessions(
  sessions: readonly SessionData[],
  { predictor, sequenceLength, from }: { predictor: Predictor; sequenceLength: number; from: string | null },
): AsyncGenerator<PredictedSession> {
  const panel = createPanel({ sequenceLength });
  let waiting: { readonly session: SessionData; readonly windows: readonly PanelWindow[] }[] = [];
  let windows = 0;
  for (const session of sessions) {
    panel.push(session);
    const added = from === null || session.date >= from ? panel.windows(session.date) : [];
    waiting.push({ session, windows: added });
    windows += added.length;
    if (windows < CHUNK) continue;
    yield* predicted(waiting, predictor);
    waiting = [];
    windows = 0;
  }
  yield* predicted(waiting, predictor);
}

async function* predicted(
  sessions: readonly { readonly session: SessionData; readonly windows: readonly PanelWindow[] }[],
  predictor: Predictor,
): AsyncGenerator<PredictedSession> {
  const forecasts = await predictor.predict(
    sessions.flatMap(({ windows }) => windows.map(({ rows }) => rows)),
  );
  let next = 0;
  for (const { session, windows } of sessions) {
    const predictions = new Map(windows.map(({ ticker }) => [ticker, forecasts[next++]!]));
    yield { session, predictions };
  }
}
