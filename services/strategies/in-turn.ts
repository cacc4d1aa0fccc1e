/** A value that is there, or that comes later. */
export type Soon<T> = T | Promise<T>;

/**
 * Continues with a value at once if it is there. In a backtest, strategy and account are in this process, and awaiting
 * each step would take longer than the steps themselves.
 */
export const afterwards = <T, Result>(value: Soon<T>, goOn: (value: T) => Soon<Result>): Soon<Result> =>
  value instanceof Promise ? value.then(goOn) : goOn(value);

/** Runs an action on one element after the other, and waits only for promises. */
export function inTurn<T>(
  items: readonly T[],
  act: (item: T, at: number) => Soon<void>,
  from = 0,
): Soon<void> {
  for (let at = from; at < items.length; at += 1) {
    const acting = act(items[at]!, at);
    if (acting instanceof Promise) return acting.then(() => inTurn(items, act, at + 1));
  }
  return undefined;
}

/** The result of `act`, or of `caught` if `act` fails. */
export function attempt<T, Instead>(
  act: () => Soon<T>,
  caught: (error: unknown) => Instead,
): Soon<T | Instead> {
  try {
    const acting = act();
    return acting instanceof Promise ? acting.catch(caught) : acting;
  } catch (error) {
    return caught(error);
  }
}
