/** An event of XState that says why an actor failed. */
export interface Fault {
  readonly error: unknown;
}

/** The fault in an event of XState that says why an actor failed, as `params` of an action or a guard. */
export const faultIn = ({ event: { error } }: { readonly event: Fault }): Fault => ({ error });

/** A placeholder for an action that writes a fault to the log. The real action comes by `provide`. */
export const tell: (_: unknown, fault: Fault) => void = () => undefined;

/** A placeholder for the work of an actor. The real work comes by `provide`. */
export const notProvided = (): Promise<never> =>
  Promise.reject(new Error('this actor must be given with provide()'));
