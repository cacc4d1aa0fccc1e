import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { evolve } from '../../actors/trading/evolve.ts';
import { stateHash } from '../../actors/trading/snapshot.ts';
import { initialState } from '../../actors/trading/state.ts';
import type { AccountEvent } from '../../events/catalog/catalog.ts';
import { readSettings, type Environment } from '../../services/config.ts';
import { openRuntime } from '../../services/runtime.ts';
import { readTradingRecord } from '../../services/trading/record-check.suite.ts';
import { snapshotFile } from '../../services/trading/account/snapshots.ts';
import type { Answer } from './child.ts';
import type { Step } from './script.ts';

export interface RecordReport {
  readonly faults: readonly string[];
  readonly events: number;
  readonly fills: number;
  readonly orders: number;
}

/** Reads the whole record of account and broker as the next start would find it, and says everything that is wrong with it. */
export async function checkTradingRecord(
  environment: Environment,
  { steps, answersFile }: { steps: readonly Step[]; answersFile: string },
): Promise<RecordReport> {
  const settings = readSettings(environment);
  const runtime = await openRuntime(settings, pino({ level: 'silent' }));
  try {
    const { account, faults: found } = await readTradingRecord(
      runtime.store,
      runtime.codec,
      settings.trading.account,
    );
    const faults = [
      ...found,
      ...checkAnswers(account, steps, await answersIn(answersFile)),
      ...(await checkSnapshot(
        account,
        join(settings.dataDir, `account-${settings.trading.account}.snapshot`),
      )),
    ];
    const fills = account.filter(({ type }) => type === 'OrderFilled').length;
    const orders = account.filter(({ type }) => type === 'OrderSubmitted').length;
    return { faults, events: account.length, fills, orders };
  } finally {
    await runtime.close();
  }
}

async function answersIn(file: string): Promise<Answer[]> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Answer);
}

/** Acknowledged orders are there once, under the id that was given; no client_order_id is there twice. */
function checkAnswers(
  events: readonly AccountEvent[],
  steps: readonly Step[],
  answers: readonly Answer[],
): string[] {
  const faults: string[] = [];
  const submitted = new Map<string, string[]>();
  const withdrawn = new Set<string>();
  for (const { type, data } of events) {
    if (type === 'OrderWithdrawn') withdrawn.add(data.order_id);
    if (type !== 'OrderSubmitted' || data.client_order_id === null) continue;
    submitted.set(data.client_order_id, [...(submitted.get(data.client_order_id) ?? []), data.order_id]);
  }
  for (const { step, order_id, refused } of answers) {
    const what = steps[step]!;
    if (what.kind !== 'order') continue;
    const ids = (submitted.get(what.body.client_order_id) ?? []).filter((id) => !withdrawn.has(id));
    if (refused === undefined && ids[0] !== order_id) faults.push(`step ${step}: ${order_id} is lost`);
    if (refused !== undefined && ids.length > 0) faults.push(`step ${step}: refused (${refused}), but there`);
    if (ids.length > 1) faults.push(`step ${step}: there ${ids.length} times`);
  }
  return faults;
}

/** The state that the last process had when it stopped is what its events say. */
async function checkSnapshot(events: readonly AccountEvent[], file: string): Promise<string[]> {
  const snapshot = await snapshotFile(file, () => undefined).read();
  if (snapshot === undefined) return ['there is no snapshot'];
  const { state, revision, eventId } = snapshot;
  const until = events.slice(0, Number(revision) + 1);
  if (until.at(-1)?.id !== eventId) return ['the snapshot is of another stream'];
  const live = stateHash(state);
  const replayed = stateHash(until.reduce(evolve, initialState()));
  const [whole, tail] = [
    stateHash(events.reduce(evolve, initialState())),
    stateHash(events.slice(Number(revision) + 1).reduce(evolve, state)),
  ];
  return [
    ...(live === replayed ? [] : ['the live state is not what a replay gives']),
    ...(whole === tail ? [] : ['snapshot and tail are not what a replay gives']),
  ];
}
