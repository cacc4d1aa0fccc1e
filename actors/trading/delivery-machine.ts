import { setup } from 'xstate';

type DeliveryEvent =
  /** A session begins: orders that are recorded from now on wait. */
  | { readonly type: 'HOLD' }
  | { readonly type: 'RELEASE' }
  /** The account is handed over. */
  | { readonly type: 'STOP' };

/**
 * Whether orders are sent to the broker. They are held from the start until the account is reconciled, and while a
 * session is being matched. So a session meets all orders that were recorded before it, and no later ones.
 */
export const deliveryMachine = setup({ types: { events: {} as DeliveryEvent } }).createMachine({
  id: 'delivery',
  initial: 'held',
  on: { STOP: '.stopped' },
  states: {
    held: { on: { RELEASE: 'open' } },
    open: { on: { HOLD: 'held' } },
    /** Orders that were not sent are found again at the next start. */
    stopped: { type: 'final' },
  },
});
