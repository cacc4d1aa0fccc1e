import { BelegError } from '../events/errors.ts';

/** The lifecycle of what a stream tells of, written once: `evolve`, `decide`, machine and drawing read it. */
export class Lifecycle<Status extends string = string, Type extends string = string> {
  readonly name: string;
  readonly initial: Status;
  /** Which event may follow in which status, and where it leads. */
  readonly table: Readonly<Record<Status, Readonly<Partial<Record<Type, Status>>>>>;

  constructor(name: string, initial: Status, table: Lifecycle<Status, Type>['table']) {
    this.name = name;
    this.initial = initial;
    this.table = table;
  }

  get statuses(): Status[] {
    return Object.keys(this.table) as Status[];
  }

  /** All that may follow somewhere. */
  get events(): Type[] {
    return [...new Set(this.statuses.flatMap((status) => Object.keys(this.table[status]) as Type[]))];
  }

  mayFollow(status: Status, type: Type): boolean {
    return this.table[status][type] !== undefined;
  }

  /** True once nothing may follow. */
  hasEnded(status: Status): boolean {
    return Object.keys(this.table[status]).length === 0;
  }

  /** The status after an event. @throws {BelegError} `STREAM_CORRUPT` for one that is not legal now. */
  next(status: Status, type: Type): Status {
    const next = this.table[status][type];
    if (next === undefined) {
      throw new BelegError('STREAM_CORRUPT', { detail: `${type} cannot follow ${status}` });
    }
    return next;
  }
}

// What all have in common, whatever their statuses.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyLifecycle = Lifecycle<any, any>;

/** A lifecycle as it is drawn. */
export interface Drawing {
  readonly name: string;
  readonly initial: string;
  /** In the order of the table. `final`: nothing is to be waited for any more. */
  readonly states: readonly { readonly name: string; readonly final: boolean }[];
  readonly transitions: readonly Transition[];
}

interface Transition {
  readonly from: string;
  readonly to: string;
  readonly event: string;
}

/** A status is final where nothing leads on from it. */
export function draw(lifecycle: Lifecycle): Drawing {
  const { name, initial, table, statuses } = lifecycle;
  return {
    name,
    initial,
    states: statuses.map((status) => ({ name: status, final: lifecycle.hasEnded(status) })),
    transitions: statuses.flatMap((from) =>
      Object.entries(table[from]!).map(([event, to]) => ({ from, to: to!, event })),
    ),
  };
}
