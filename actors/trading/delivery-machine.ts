import { setup } from 'xstate';

type DeliveryEvent =
  /** A session begins: what is recorded from now on waits. */
  | { readonly type: 'HOLD' }
  | { readonly type: 'RELEASE' }
  /** The account is handed over. */
  | { readonly type: 'STOP' };

/**
 * Whether orders go out to the broker. They are held from the start until the account is reconciled, and while a
 * session is being matched. So a session meets all orders that were recorded before it and none that came after.
 */
export const deliveryMachine = setup({ types: { events: {} as DeliveryEvent } }).createMachine({
  id: 'delivery',
  initial: 'held',
  on: { STOP: '.stopped' },
  states: {
    held: { on: { RELEASE: 'open' } },
    open: { on: { HOLD: 'held' } },
    /** The next start finds what was not sent. */
    stopped: { type: 'final' },
  },
});
