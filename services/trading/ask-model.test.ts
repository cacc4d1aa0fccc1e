import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { MessageBus } from '../../events/bus/bus.ts';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { BelegError } from '../../events/errors.ts';
import { serve } from '../../events/messages/define.ts';
import { Predict } from '../../events/messages/models.ts';
import { askModel, type Predictions } from './ask-model.ts';

const DAY = '2024-03-01';

let logged: string[];
let stopping: AbortController;

beforeEach(() => {
  logged = [];
  stopping = new AbortController();
});

const write = (line: string): void => {
  logged.push((JSON.parse(line) as { msg: string }).msg);
};

function ask(bus: MessageBus): Predictions {
  return askModel(bus, pino({ level: 'info' }, { write }));
}

const connect = (broker: InProcessBus): MessageBus => broker.connect(() => undefined);

test('they are by ticker, what the models service says of that session', async () => {
  const broker = new InProcessBus();
  const asked: string[] = [];
  const predictions = [{ ticker: 'AAA', return: 0.001, volatility: 0.02 }];
  const answer = async ({ session }: { session: string }) => {
    asked.push(session);
    return { weights: 'w', predictions };
  };
  serve(connect(broker), Predict, 'models', answer, () => undefined);
  expect(await ask(connect(broker)).after(DAY, stopping.signal)).toEqual({
    weights: 'w',
    forecasts: new Map([['AAA', { return: 0.001, volatility: 0.02 }]]),
  });
  expect(asked).toEqual([DAY]);
  expect(logged).toEqual([]);
});

test('a service that is away, that has no model, and that comes back: each is logged once', async () => {
  const broker = new InProcessBus();
  const predictions = ask(connect(broker));
  const three = async () => {
    const said = [];
    for (let n = 0; n < 3; n++) said.push(await predictions.after(DAY, stopping.signal));
    return said;
  };
  expect(await three()).toEqual([null, null, null]);
  expect(logged.splice(0)).toEqual(['the strategy does not trade: the model service does not answer']);

  let ready = false;
  const answer = async () => {
    if (!ready) throw new BelegError('MODEL_NOT_READY');
    return { weights: 'w', predictions: [] };
  };
  serve(connect(broker), Predict, 'models', answer, () => undefined);
  expect(await three()).toEqual([null, null, null]);
  expect(logged.splice(0)).toEqual(['the strategy does not trade: no trained model is in use']);
  ready = true;
  expect(await three()).toEqual(Array.from({ length: 3 }, () => ({ weights: 'w', forecasts: new Map() })));
  expect(logged).toEqual(['the strategy gets predictions again']);
});

test('a service that is slow is waited for three seconds, and not beyond the end', async () => {
  const waits: (number | undefined)[] = [];
  const slow = {
    ...connect(new InProcessBus()),
    request: (
      _: string,
      __: Uint8Array,
      { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
    ) => {
      waits.push(timeoutMs);
      return new Promise<never>((_, reject) => {
        if (waits.length === 1) reject(new BelegError('DEADLINE_EXCEEDED'));
        else signal!.addEventListener('abort', () => reject(signal!.reason as Error));
      });
    },
  } as MessageBus;
  const predictions = ask(slow);
  expect(await predictions.after(DAY, stopping.signal)).toBeNull();
  expect(logged).toHaveLength(1);
  const last = predictions.after(DAY, stopping.signal);
  stopping.abort();
  expect(await last).toBeNull();
  expect(waits).toEqual([3_000, 3_000]);
  expect(logged).toHaveLength(1);
});
