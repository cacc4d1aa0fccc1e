import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Forecast } from '../../actors/strategy/forecast.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { isBelegError } from '../../events/errors.ts';
import { call } from '../../events/messages/define.ts';
import { Predict } from '../../events/messages/models.ts';

/** The model's predictions for the day after a session, by ticker. */
export type Predictions = ReturnType<typeof askModel>;

export interface Predicted {
  /** SHA-256 of the weights that produced the forecasts. */
  readonly weights: string;
  readonly forecasts: ReadonlyMap<string, Forecast>;
}

/** Milliseconds after which a session goes on without predictions. */
const PATIENCE_MS = 3_000;

/** The last state that was logged, so that only changes are logged. No decision depends on it. */
const STANDINGS = {
  answers: 'the strategy gets predictions again',
  'has no model': 'the strategy does not trade: no trained model is in use',
  'is away': 'the strategy does not trade: the model service does not answer',
} as const;
type Standing = keyof typeof STANDINGS;

/** The trading service's requests to the models service over the bus. */
export function askModel(bus: MessageBus, logger: Logger) {
  let standing: Standing = 'answers';

  function stands(now: Standing, error?: unknown): void {
    if (now === standing) return;
    standing = now;
    if (now === 'answers') logger.info(STANDINGS[now]);
    else logger.warn({ err: error }, STANDINGS[now]);
  }

  return {
    /** The predictions for the day after a session; `null` if no model answers, also if the signal aborts. */
    async after(session: string, signal: AbortSignal): Promise<Predicted | null> {
      const callId = randomUUID();
      try {
        const { weights, predictions } = await call(
          bus,
          Predict,
          { session },
          { correlationId: `session/${session}`, callId },
          { timeoutMs: PATIENCE_MS, signal },
        );
        stands('answers');
        return {
          weights,
          forecasts: new Map(predictions.map(({ ticker, ...forecast }) => [ticker, forecast])),
        };
      } catch (error) {
        if (isBelegError(error, 'MODEL_NOT_READY')) stands('has no model');
        else if (!signal.aborted) stands('is away', error);
        return null;
      }
    },
  };
}
