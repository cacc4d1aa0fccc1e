import { env } from 'onnxruntime-node';
import type { Scaler } from '../../services/models/data/dataset.ts';
import { openPredictor, type Predictor } from '../../services/models/inference/predictor.ts';
import { initialState, Optimization } from '../../services/models/training/optimization.ts';
import { SCHEDULE } from './reference.ts';
import { serve, type Network } from './serve.ts';
import type { Batch } from './task.ts';

/** Ours, by what the trainer trains with and the service predicts with: by the initial parameters, fixed in its graph. */
class OnnxNetwork implements Network {
  readonly library = `beleg, ONNX Runtime ${env.versions.node}`;
  readonly #optimization: Optimization;
  readonly #predictor: Predictor;
  #steps = 0;

  constructor(optimization: Optimization, predictor: Predictor) {
    this.#optimization = optimization;
    this.#predictor = predictor;
  }

  async step({ inputs, targets }: Batch): Promise<number> {
    this.#optimization.x.set(inputs);
    this.#optimization.y.set(targets);
    this.#steps++;
    return this.#optimization.step(this.#steps);
  }

  async predict(inputs: Float32Array): Promise<number[]> {
    const size = inputs.length / this.#optimization.batch;
    const windows = Array.from({ length: this.#optimization.batch }, (_, at) =>
      inputs.subarray(at * size, (at + 1) * size),
    );
    const forecasts = await this.#predictor.predict(windows);
    return forecasts.flatMap((forecast) => [forecast.return, forecast.volatility]);
  }
}

const unscaled = (columns: number): Scaler => ({
  mean: Array<number>(columns).fill(0),
  deviation: Array<number>(columns).fill(1),
});

await serve(async ({ spec, batch_size: batch, outputs }, { parameters }, threads) => {
  const settings = { batch_size: batch, epochs: 1, learning_rate: SCHEDULE.learning_rate, seed: 0 };
  const plan = { spec, settings, batch, steps: SCHEDULE.steps };
  const optimization = await Optimization.open(plan, { provider: 'cpu', threads });
  optimization.state = initialState(parameters);
  const scaler = { inputs: unscaled(spec.features), targets: unscaled(outputs) };
  const predictor = await openPredictor({ spec, parameters, scaler }, { batch, threads });
  return new OnnxNetwork(optimization, predictor);
});
