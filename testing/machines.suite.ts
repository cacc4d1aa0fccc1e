import type { AnyStateMachine } from 'xstate';
import { askMachine } from '../actors/ask/machine.ts';
import { ERASURE_LIFECYCLE } from '../actors/erasure/erasure.ts';
import { folderWatchMachine } from '../actors/folder-watch/machine.ts';
import { machineOf } from '../actors/lifecycle.ts';
import { updateMachine } from '../actors/market-update/machine.ts';
import { RATING_LIFECYCLE } from '../actors/rating/lifecycle.ts';
import { INDEX_LIFECYCLE } from '../actors/reindex/reindex.ts';
import { deliveryMachine } from '../actors/trading/delivery-machine.ts';
import { engineMachine } from '../actors/trading/engine-machine.ts';
import { ORDER_LIFECYCLE } from '../actors/trading/order-lifecycle.ts';
import { orderMachine } from '../actors/trading/order-machine.ts';
import { OWN_STRATEGY_LIFECYCLE } from '../actors/trading/own-strategy-lifecycle.ts';
import { strategyMachine } from '../actors/trading/strategy-machine.ts';
import { trainingMachine } from '../actors/training/machine.ts';

/** Each machine of the house, with what it is of. */
export const MACHINES: readonly (readonly [heading: string, about: string, machine: AnyStateMachine])[] = [
  ['Ask', 'One question, from its reading to the answer (`actors/ask/machine.ts`).', askMachine],
  [
    'Rating',
    'The newest answer of a request. An ask under way changes nothing before it is answered (`actors/rating/lifecycle.ts`).',
    machineOf(RATING_LIFECYCLE),
  ],
  [
    'Erasure',
    'The text of a request that is to be erased (`actors/erasure/erasure.ts`).',
    machineOf(ERASURE_LIFECYCLE),
  ],
  ['Reindex', 'The index of the knowledge base (`actors/reindex/reindex.ts`).', machineOf(INDEX_LIFECYCLE)],
  [
    'Folder watch',
    'Sees that files of the knowledge base have changed, and has them taken in (`actors/folder-watch/machine.ts`).',
    folderWatchMachine,
  ],
  [
    'Engine',
    'The trading engine while a process runs, with or without the lease (`actors/trading/engine-machine.ts`). The pauses: `poll` is a second, `backoff` 50 ms to 5 s, `pace` a second divided by the speed of the clock.',
    engineMachine,
  ],
  [
    'Strategy',
    'The turns of the strategy, a child of the engine (`actors/trading/strategy-machine.ts`).',
    strategyMachine,
  ],
  [
    "Strategy of one's own",
    'Whether a strategy of the operator is asked (`actors/trading/own-strategy-lifecycle.ts`).',
    machineOf(OWN_STRATEGY_LIFECYCLE),
  ],
  [
    'Delivery',
    'Whether orders go out to the broker, beside each order of an account (`actors/trading/delivery-machine.ts`).',
    deliveryMachine,
  ],
  [
    'Order on record',
    'What the account says of an order; a fill that leaves something leads to `partially_filled` (`actors/trading/order-lifecycle.ts`).',
    machineOf(ORDER_LIFECYCLE),
  ],
  [
    'Order and broker',
    'The dealings of an open order with the broker (`actors/trading/order-machine.ts`). `RECORDED` comes when something is recorded of it that may lead on, such as a cancellation; `backoff` is 50 ms to 5 s.',
    orderMachine,
  ],
  [
    'Training',
    'A run of training: its record, its work, and what of that goes on record (`actors/training/machine.ts`). The next process takes up a run that was interrupted: it records `TrainingResumed`, and begins this machine again at `preparing`.',
    trainingMachine,
  ],
  ['Market update', 'An update of the market data (`actors/market-update/machine.ts`).', updateMachine],
];
