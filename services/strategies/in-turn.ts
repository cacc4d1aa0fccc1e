/** A value that is there, or that comes later. */
export type Soon<T> = T | Promise<T>;

/**
 * Goes on with a value at once if it is there. To await each step would take longer than all that the steps do where a
 * strategy and its account are in this process, as in a backtest.
 */
export const afterwards = <T, Result>(value: Soon<T>, goOn: (value: T) => Soon<Result>): Soon<Result> =>
  value instanceof Promise ? value.then(goOn) : goOn(value);

/** Acts on one after the other, waiting where there is something to wait for. */
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

/** What `act` gives, or what `caught` makes of its failure. */
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
