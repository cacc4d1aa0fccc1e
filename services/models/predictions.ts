import type { Logger } from 'pino';
import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError } from '../../events/errors.ts';
import { call, type CallContext } from '../../events/messages/define.ts';
import { Sessions } from '../../events/messages/market.ts';
import type { Prediction } from '../../events/messages/models.ts';
import { KeyedQueue } from '../../events/keyed-queue.ts';
import { collectBars } from './data/collect.ts';
import { Panel, type PanelWindow } from './data/panel.ts';
import type { Predictor } from './inference/predictor.ts';
import { Latency, type LatencyFigures } from './latency.ts';
import type { LoadedModel } from './model-in-use.ts';
import type { Weights } from './weights/weights.ts';

interface PredictionsOptions {
  readonly bus: MessageBus;
  readonly sequenceLength: number;
  readonly openPredictor: (weights: Weights) => Promise<Predictor>;
  readonly logger: Logger;
}

interface Answer {
  readonly weights: string;
  readonly session: string;
  readonly predictions: Prediction[];
}

/** Predictions of a session, by the weights in use: one after the other, from windows that are kept up to the newest one. */
export class Predictions {
  readonly #options: PredictionsOptions;
  readonly #turns = new KeyedQueue();
  readonly #panel: Panel;
  readonly #latency = new Latency();
  readonly #closing = new AbortController();
  #open: { readonly hash: string; readonly predictor: Predictor } | null = null;
  /** Asked for again: the same. */
  #newest: Answer | null = null;

  constructor(options: PredictionsOptions) {
    this.#options = options;
    this.#panel = new Panel(options);
  }

  /**
   * Rejects with what the bus, the market service and the inference say, and with `SERVICE_UNAVAILABLE` where it closes
   * meanwhile.
   */
  ask(model: LoadedModel, session: string, context: CallContext): Promise<Answer> {
    return this.#turns.run('', async () => {
      const began = performance.now();
      if (this.#newest?.weights !== model.hash || this.#newest.session !== session) {
        this.#newest = await this.#predict(model, session, context);
      }
      this.#latency.add(performance.now() - began);
      return this.#newest;
    });
  }

  /** From a request's turn to its answer. */
  figures(): LatencyFigures {
    return this.#latency.figures();
  }

  async close(): Promise<void> {
    this.#closing.abort(new BelegError('SERVICE_UNAVAILABLE'));
    await this.#turns.run('', async () => this.#closePredictor());
  }

  async #predict(model: LoadedModel, session: string, context: CallContext): Promise<Answer> {
    const windows = await this.#windows(session, context);
    if (this.#open?.hash !== model.hash) this.#tellWhatIsKnown(model, session);
    const predictor = await this.#predictorOf(model);
    const outputs = await predictor.predict(windows.map(({ rows }) => rows));
    const predictions = windows.map(({ ticker }, at) => ({ ticker, ...outputs[at]! }));
    return { weights: model.hash, session, predictions };
  }

  /** An account that replays days which its weights were trained on earns what nobody could have earned then. */
  #tellWhatIsKnown({ hash, weights: { trainedUntil } }: LoadedModel, session: string): void {
    if (trainedUntil === null || session > trainedUntil) return;
    this.#options.logger.warn(
      { weights: hash, session, trained_until: trainedUntil },
      'IN SAMPLE: the model was trained on the predicted days; profit on them proves nothing',
    );
  }

  async #windows(session: string, context: CallContext): Promise<PanelWindow[]> {
    const panel = this.#panel;
    if (panel.date !== session && !(await this.#step(session, context))) {
      const { bus, sequenceLength } = this.#options;
      const newest = Panel.barsFor(sequenceLength);
      await panel.fill(await collectBars(bus, session, this.#closing.signal, context, { newest }));
    }
    // A day on which nothing traded has no windows.
    return panel.date === session ? panel.windows(session) : [];
  }

  /** Whether the session is the one after the panel's. */
  async #step(session: string, context: CallContext): Promise<boolean> {
    const { date } = this.#panel;
    if (date === null || session < date) return false;
    const { signal } = this.#closing;
    const { sessions } = await call(this.#options.bus, Sessions, { after: date, limit: 1 }, context, {
      signal,
    });
    if (sessions[0]?.date !== session) return false;
    this.#panel.push(sessions[0]);
    return true;
  }

  async #predictorOf({ hash, weights }: LoadedModel): Promise<Predictor> {
    if (this.#open?.hash !== hash) {
      await this.#closePredictor();
      this.#open = { hash, predictor: await this.#options.openPredictor(weights) };
    }
    return this.#open.predictor;
  }

  async #closePredictor(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.predictor.close();
  }
}
