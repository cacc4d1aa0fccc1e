/** An event of XState that says why an actor failed. */
export interface Fault {
  readonly error: unknown;
}

/** The fault in such an event, as `params` of an action or a guard. */
export const faultIn = ({ event: { error } }: { readonly event: Fault }): Fault => ({ error });

/** Stands in a machine for an action that reports a fault to the log. The real one comes by `provide`. */
export const tell: (_: unknown, fault: Fault) => void = () => undefined;

/** Stands in a machine for the work of an actor. The real one comes by `provide`. */
export const notProvided = (): Promise<never> =>
  Promise.reject(new Error('this actor must be given with provide()'));
