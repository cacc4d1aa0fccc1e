import { setup } from 'xstate';

type DeliveryEvent =
  /** A session begins: what is recorded from now on waits. */
  | { readonly type: 'HOLD' }
  | { readonly type: 'RELEASE' }
  /** The account is handed over. */
  | { readonly type: 'STOP' };

/**
 * Whether orders go out to the broker. They are held from the start on, until it is known how things stand, and while a
 * session is being matched: so that a session begins with all orders there that were recorded before it, and none of after.
 */
export const deliveryMachine = setup({ types: { events: {} as DeliveryEvent } }).createMachine({
  id: 'delivery',
  initial: 'held',
  on: { STOP: '.stopped' },
  states: {
    held: { on: { RELEASE: 'open' } },
    open: { on: { HOLD: 'held' } },
    /** The next start finds out about what has not been told by then. */
    stopped: { type: 'final' },
  },
});
