import { createActor, fromCallback, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { startedAt } from '../lifecycle.ts';
import { trainingMachine, type StopWork, type TrainingMachineEvent, type TrainingNotice } from './machine.ts';
import type { RunCommand } from './training-run.ts';

const away = new BelegError('STORE_UNAVAILABLE');
const end: RunCommand = { type: 'end-training', step: 3 };
const prepared = { type: 'record-preparation' } as RunCommand;
const epoch = { type: 'record-epoch' } as RunCommand;

/** A machine whose record fails by a script, and what it did. */
function start(faults: readonly (BelegError | null)[] = []) {
  const recorded: string[] = [];
  const notices: TrainingNotice[] = [];
  let stops = 0;
  let tries = 0;
  let tell: ((event: TrainingMachineEvent) => void) | undefined;
  const clock = new SimulatedClock();
  const actor = createActor(
    startedAt(trainingMachine, { run: 'preparing' }).provide({
      actors: {
        work: fromCallback<StopWork>(({ sendBack, receive }) => {
          tell = sendBack;
          receive(() => (stops += 1));
        }),
        record: fromPromise(async ({ input: { command } }) => {
          const fault = faults[tries++] ?? null;
          if (fault !== null) throw fault;
          recorded.push(command.type);
        }),
      },
    }),
    { clock },
  );
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return {
    actor,
    clock,
    recorded,
    notices,
    stops: () => stops,
    tell: (event: TrainingMachineEvent) => tell?.(event),
    report: (command: RunCommand) => tell?.({ type: 'REPORT', command }),
    is: (record: string) => waitFor(actor, ({ value }) => value.record === record),
    done: () => waitFor(actor, ({ status }) => status === 'done'),
  };
}

describe('the machine of a run', () => {
  it('records what the work tells, in its order, and is done when its end is on record', async () => {
    const { actor, recorded, report, tell, done, is } = start();
    report(prepared);
    report(epoch);
    await is('waiting');
    actor.send({ type: 'TrainingPrepared' });
    actor.send({ type: 'TrainingEpochFinished' });
    expect(actor.getSnapshot().value).toMatchObject({ run: 'training', work: 'going' });
    tell({ type: 'ENDED', command: { type: 'finish-training' } as RunCommand });
    await is('complete');
    expect(actor.getSnapshot().status).toBe('active');
    actor.send({ type: 'TrainingFinished' });
    await done();
    expect(recorded).toEqual(['record-preparation', 'record-epoch', 'finish-training']);
  });

  it('tells the work to stop once that is on record, also while it prepares', async () => {
    const { actor, stops, tell, done, is } = start();
    actor.send({ type: 'TrainingStopRequested' });
    expect(stops()).toBe(1);
    expect(actor.getSnapshot().value).toMatchObject({ run: 'stopping', work: 'going' });
    tell({ type: 'ENDED', command: end });
    await is('complete');
    actor.send({ type: 'TrainingInterrupted' });
    await done();
  });

  it('lets the work go on while the store is away, and records what it told when that is back', async () => {
    const { clock, recorded, notices, report, stops, is } = start([away, away]);
    report(prepared);
    await is('delayed');
    report(epoch);
    clock.increment(50);
    await is('delayed');
    expect(recorded).toEqual([]);
    clock.increment(100);
    await is('waiting');
    expect(recorded).toEqual(['record-preparation', 'record-epoch']);
    expect(notices.map(({ type }) => type)).toEqual(['record-delayed', 'record-delayed']);
    expect(stops()).toBe(0);
  });

  it('stops the work where another process has taken over', async () => {
    const fenced = new BelegError('WRONG_EXPECTED_REVISION');
    const { notices, report, stops, is } = start([fenced]);
    report(prepared);
    await is('lost');
    expect(stops()).toBe(1);
    expect(notices).toEqual([{ type: 'lost', error: fenced }]);
  });

  it('can be lost when the work is over already', async () => {
    const { notices, tell, is } = start([new BelegError('STREAM_CORRUPT')]);
    tell({ type: 'ENDED', command: end });
    await is('lost');
    expect(notices).toHaveLength(1);
  });

  it('stops the work when the service stops', () => {
    const { actor, stops } = start();
    actor.send({ type: 'SHUTDOWN' });
    expect(stops()).toBe(1);
    expect(actor.getSnapshot().value).toMatchObject({ run: 'preparing' });
  });
});
