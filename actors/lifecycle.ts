/** A lifecycle as its table says, for whoever draws it. */
export interface Lifecycle {
  readonly name: string;
  readonly initial: string;
  /** In the order of the table. `final`: nothing is to be waited for any more. */
  readonly states: readonly { readonly name: string; readonly final: boolean }[];
  readonly transitions: readonly Transition[];
}

export interface Transition {
  readonly from: string;
  readonly to: string;
  readonly event: string;
}

/** What a transition table holds, listed. A state is final where nothing leads on from it. */
export function listLifecycle(
  name: string,
  initial: string,
  table: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>,
): Lifecycle {
  const transitions = Object.entries(table).flatMap(([from, on]) =>
    Object.entries(on).map(([event, to]) => ({ from, to: to!, event })),
  );
  const states = Object.keys(table).map((state) => ({
    name: state,
    final: !transitions.some(({ from }) => from === state),
  }));
  return { name, initial, states, transitions };
}
