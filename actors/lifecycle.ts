import { createMachine, type AnyStateMachine } from 'xstate';
import { BelegError } from '../events/errors.ts';

/**
 * The lifecycle of the thing that a stream is about, written once. `evolve` and `decide` read the table, which takes a
 * million events a second; machines and drawings are made from it.
 */
export class Lifecycle<Status extends string = string, Type extends string = string> {
  readonly name: string;
  readonly initial: Status;
  /** Which event may follow in which status, and to which status it leads. */
  readonly table: Readonly<Record<Status, Readonly<Partial<Record<Type, Status>>>>>;

  constructor(name: string, initial: Status, table: Lifecycle<Status, Type>['table']) {
    this.name = name;
    this.initial = initial;
    this.table = table;
  }

  get statuses(): Status[] {
    return Object.keys(this.table) as Status[];
  }

  /** All events that may follow in any status. */
  get events(): Type[] {
    return [...new Set(this.statuses.flatMap((status) => Object.keys(this.table[status]) as Type[]))];
  }

  mayFollow(status: Status, type: Type): boolean {
    return this.table[status][type] !== undefined;
  }

  /** True if no event may follow. */
  hasEnded(status: Status): boolean {
    return Object.keys(this.table[status]).length === 0;
  }

  /**
   * The status after an event.
   *
   * @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal now.
   */
  next(status: Status, type: Type): Status {
    const next = this.table[status][type];
    if (next === undefined) {
      throw new BelegError('STREAM_CORRUPT', { detail: `${type} cannot follow ${status}` });
    }
    return next;
  }
}

// A lifecycle whose statuses do not matter.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyLifecycle = Lifecycle<any, any>;

// A state of any machine. Its own types are checked where the machine is written, by `createStateConfig`.
// oxlint-disable-next-line typescript/no-explicit-any
type AnyState = any;

/**
 * The table as the states of a machine. Recorded events are sent to the machine; an event that leads to the present
 * status enters it again. `within` adds what a process does in a status, and which statuses end the machine.
 *
 * @example createMachine({ initial: 'idle', states: statesOf(INDEX_LIFECYCLE) });
 */
export function statesOf<Status extends string>(
  lifecycle: Lifecycle<Status>,
  within: { readonly [Of in Status]?: AnyState } = {},
): Record<Status, AnyState> {
  const stateOf = (status: Status): AnyState => {
    const inner = within[status] ?? {};
    if (lifecycle.hasEnded(status)) return { ...inner, type: 'final' };
    if (inner.type === 'final') return inner;
    const ways = Object.entries(lifecycle.table[status]) as [string, Status][];
    const on = Object.fromEntries(ways.map(([event, target]) => [event, { target, reenter: true }]));
    return { ...inner, on: { ...on, ...inner.on } };
  };
  const states = lifecycle.statuses.map((status) => [status, stateOf(status)] as const);
  return Object.fromEntries(states) as Record<Status, AnyState>;
}

/**
 * The machine, started in the status that is on record: a status of its lifecycle, or of the lifecycle of one of its
 * regions. The work of that status begins anew.
 *
 * @example createActor(startedAt(trainingMachine, { run: 'preparing' }));
 */
export function startedAt<Machine extends AnyStateMachine>(
  machine: Machine,
  at: string | Readonly<Record<string, string>>,
): Machine {
  const { config, implementations } = machine;
  if (typeof at === 'string') return createMachine({ ...config, initial: at }, implementations) as Machine;
  const regions = Object.entries(config.states as Record<string, AnyState>).map(([name, region]) => [
    name,
    name in at ? { ...region, initial: at[name]! } : region,
  ]);
  return createMachine({ ...config, states: Object.fromEntries(regions) }, implementations) as Machine;
}

/** The lifecycle as a state machine. */
export function machineOf(lifecycle: AnyLifecycle): AnyStateMachine {
  const { name, initial } = lifecycle;
  return createMachine({ id: name, initial, states: statesOf(lifecycle) });
}

/** A lifecycle in a form that can be drawn. */
export interface Drawing {
  readonly name: string;
  readonly initial: string;
  /** The states in the order of the table. `final`: no event can follow. */
  readonly states: readonly { readonly name: string; readonly final: boolean }[];
  readonly transitions: readonly Transition[];
}

interface Transition {
  readonly from: string;
  readonly to: string;
  readonly event: string;
}

/** Converts the lifecycle to a drawing. A status is final if no event leads to another one. */
export function draw(lifecycle: Lifecycle): Drawing {
  const { name, initial } = lifecycle;
  const states = Object.values(machineOf(lifecycle).root.states);
  return {
    name,
    initial,
    states: states.map(({ key, type }) => ({ name: key, final: type === 'final' })),
    transitions: states.flatMap(({ key, transitions }) =>
      [...transitions.values()]
        .flat()
        .map(({ eventType, target }) => ({ from: key, to: target![0]!.key, event: eventType })),
    ),
  };
}
