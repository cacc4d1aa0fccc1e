// A trading process with a client in it: does its steps from the first one that has no answer yet, and may be killed on the way.
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { isBelegError, type ErrorCode } from '../../events/errors.ts';
import { call } from '../../events/messages/define.ts';
import {
  CancelOrder,
  CloseAllPositions,
  ClosePosition,
  Orders,
  StartTrading,
  StopTrading,
  SubmitOrder,
  TradingStatus,
} from '../../events/messages/trading.ts';
import { startApplication } from '../../services/application.ts';
import { readSettings } from '../../services/config.ts';
import { openRuntime } from '../../services/runtime.ts';
import { seeded } from '../seeded.ts';
import { Boundaries, withBoundaries } from './killing.ts';
import { scriptOf, type Step } from './script.ts';

/** What a step came to: the order's id, nothing, or why it was refused. */
export interface Answer {
  readonly step: number;
  readonly order_id?: string;
  readonly refused?: ErrorCode;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string' },
    answers: { type: 'string' },
    'kill-at': { type: 'string' },
    'stop-at': { type: 'string' },
  },
});
const file = values.answers!;
const steps = scriptOf(seeded(Number(values.seed)), Number(values.steps));
const answers: Answer[] = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Answer)
  : [];
const boundaries = new Boundaries(values['kill-at'] === undefined ? null : Number(values['kill-at']));
/** Stopped in order after so many steps: the next process starts from its snapshot. */
const stopAt = Number(values['stop-at'] ?? Number.POSITIVE_INFINITY);
const settings = readSettings(process.env);
const application = await startApplication(settings, pino({ level: 'silent' }), {
  services: ['market', 'models', 'trading'],
  open: async (...args) => withBoundaries(await openRuntime(...args), boundaries),
});
const { bus } = application.runtime;
/** Another call each time that something is said again: a client does not know of ours. */
let calls = 0;
const context = () => {
  const callId = `${process.pid}-${++calls}`;
  return { correlationId: callId, callId };
};

async function perform(step: Step): Promise<{ order_id?: string }> {
  switch (step.kind) {
    case 'start':
      await call(bus, StartTrading, {}, context());
      return {};
    case 'stop':
      await call(bus, StopTrading, {}, context());
      return {};
    case 'close-all':
      await call(bus, CloseAllPositions, {}, context());
      return {};
    case 'close':
      await call(bus, ClosePosition, { ticker: step.ticker }, context());
      return {};
    case 'cancel': {
      const order_id = answers[step.step]?.order_id;
      if (order_id !== undefined) await call(bus, CancelOrder, { order_id }, context());
      return {};
    }
    case 'order': {
      const { order_id } = await call(bus, SubmitOrder, step.body, context());
      return { order_id };
    }
  }
}

/** Until there is an answer: what a busy service refuses for the moment is said again. */
async function answerTo(step: Step): Promise<Omit<Answer, 'step'>> {
  for (;;) {
    try {
      return await perform(step);
    } catch (error) {
      if (!isBelegError(error)) throw error;
      if (error.status !== 503) return { refused: error.code };
      await delay(5);
    }
  }
}

/** A part of the day passes between two steps, so that they spread over the sessions. */
const pace = 1_000 / settings.trading.feedSpeed / 2;

while (answers.length < Math.min(steps.length, stopAt)) {
  const answer = { step: answers.length, ...(await answerTo(steps[answers.length]!)) };
  // A kill leaves what is written here, so this is what the client knows.
  appendFileSync(file, `${JSON.stringify(answer)}\n`);
  answers.push(answer);
  await delay(pace);
}
const finished = answers.length >= steps.length;
/** Orders that the broker has not taken note of would be the next start's: here all are to get there. */
const undelivered = async (): Promise<boolean> => {
  const { orders } = await call(bus, Orders, { limit: 1_000, before: null, ids: null }, context());
  return orders.some(({ status }) => status === 'submitted');
};
const giveUpAt = Date.now() + (finished ? 20_000 : 0);
while (Date.now() < giveUpAt) {
  const { feed_waiting, state } = await call(bus, TradingStatus, {}, context());
  if (feed_waiting && state !== 'reconciling' && !(await undelivered())) break;
  await delay(20);
}
await application.close();
writeSync(1, `${JSON.stringify({ finished, boundaries: boundaries.count })}\n`);
