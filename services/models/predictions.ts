import type { Logger } from 'pino';
import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError } from '../../events/errors.ts';
import { call, type CallContext } from '../../events/messages/define.ts';
import { Sessions } from '../../events/messages/market.ts';
import type { Prediction } from '../../events/messages/models.ts';
import { KeyedQueue } from '../../events/keyed-queue.ts';
import { collectBars } from './data/collect.ts';
import { barsFor, createPanel, type PanelWindow } from './data/panel.ts';
import type { Predictor } from './inference/predictor.ts';
import { Latency } from './latency.ts';
import type { LoadedModel } from './model-in-use.ts';
import type { Weights } from './weights/weights.ts';

interface PredictionsOptions {
  readonly bus: MessageBus;
  readonly sequenceLength: number;
  readonly openPredictor: (weights: Weights) => Promise<Predictor>;
  readonly logger: Logger;
}

/** Predictions for sessions with the weights in use, one at a time. The windows are kept up to the newest session. */
export function predictionsOf({ bus, sequenceLength, openPredictor, logger }: PredictionsOptions) {
  const turns = new KeyedQueue();
  const panel = createPanel({ sequenceLength });
  const latency = new Latency();
  const closing = new AbortController();
  let opened: { readonly hash: string; readonly predictor: Predictor } | null = null;
  /** The newest predictions, for a repeated request. */
  let newest: Awaited<ReturnType<typeof predict>> | null = null;

  async function predict(model: LoadedModel, session: string, context: CallContext) {
    const windows = await windowsOf(session, context);
    if (opened?.hash !== model.hash) tellWhatIsKnown(model, session);
    const predictor = await predictorOf(model);
    const outputs = await predictor.predict(windows.map(({ rows }) => rows));
    const predictions: Prediction[] = windows.map(({ ticker }, at) => ({ ticker, ...outputs[at]! }));
    return { weights: model.hash, session, predictions };
  }

  /** Warns if the account replays days of the training: the model knows these days, so the returns mean nothing. */
  function tellWhatIsKnown({ hash, weights: { trainedUntil } }: LoadedModel, session: string): void {
    if (trainedUntil === null || session > trainedUntil) return;
    logger.warn(
      { weights: hash, session, trained_until: trainedUntil },
      'IN SAMPLE: the model was trained on the predicted days; profit on them proves nothing',
    );
  }

  async function windowsOf(session: string, context: CallContext): Promise<PanelWindow[]> {
    if (panel.date !== session && !(await step(session, context))) {
      const newest = barsFor(sequenceLength);
      await panel.fill(await collectBars(bus, session, closing.signal, context, { newest }));
    }
    // A day on which nothing traded has no windows.
    return panel.date === session ? panel.windows(session) : [];
  }

  /** Adds a session to the panel. Returns whether it follows the panel's newest one. */
  async function step(session: string, context: CallContext): Promise<boolean> {
    const { date } = panel;
    if (date === null || session < date) return false;
    const { signal } = closing;
    const { sessions } = await call(bus, Sessions, { after: date, limit: 1 }, context, { signal });
    if (sessions[0]?.date !== session) return false;
    panel.push(sessions[0]);
    return true;
  }

  async function predictorOf({ hash, weights }: LoadedModel): Promise<Predictor> {
    if (opened?.hash !== hash) {
      await closePredictor();
      opened = { hash, predictor: await openPredictor(weights) };
    }
    return opened.predictor;
  }

  async function closePredictor(): Promise<void> {
    const open = opened;
    opened = null;
    await open?.predictor.close();
  }

  return {
    /**
     * The predictions for the day after a session. Rejects with the errors of the bus, the market service and the
     * inference, and with `SERVICE_UNAVAILABLE` if this is closed meanwhile.
     */
    ask(model: LoadedModel, session: string, context: CallContext) {
      return turns.run('', async () => {
        const began = performance.now();
        if (newest?.weights !== model.hash || newest.session !== session) {
          newest = await predict(model, session, context);
        }
        latency.add(performance.now() - began);
        return newest;
      });
    },
    /** Latencies of requests, from the start of their work to the answer, without waiting for others. */
    figures: () => latency.figures(),
    async close(): Promise<void> {
      closing.abort(new BelegError('SERVICE_UNAVAILABLE'));
      await turns.run('', async () => closePredictor());
    },
  };
}
