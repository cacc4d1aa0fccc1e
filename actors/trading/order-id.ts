import { hash } from 'node:crypto';

/** Short, readable, and the same for the same call: a repeated one makes no second order. */
export function orderId(account: string, callId: string): string {
  return `o-${hash('sha256', `${account}/${callId}`, 'hex').slice(0, 16)}`;
}
