import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceError } from '@grpc/grpc-js';
import type { Fault } from './faults.ts';
import { refusals } from './refusals.ts';

/** The call ends cleanly without a reply. */
export const ENDED = Symbol('ended');

export const never = (): Promise<never> => new Promise(() => undefined);

/** The error with which the server answers because of a fault; `undefined` if the fault is no refusal. */
export function refusalOf(fault: Fault | undefined): ServiceError | undefined {
  if (fault?.kind === 'unavailable') return refusals.unavailable();
  if (fault?.kind === 'notLeader') return refusals.notLeader(fault.host, fault.port);
  if (fault?.kind === 'accessDenied') return refusals.accessDenied();
  return undefined;
}

/** Does the work with its fault. Rejects with a refusal; returns `ENDED` if the call ends without a reply. */
export async function faulty<T>(
  fault: Fault | undefined,
  cut: () => void,
  work: () => Promise<T>,
): Promise<T | typeof ENDED> {
  const refusal = refusalOf(fault);
  if (refusal !== undefined) throw refusal;
  if (fault?.kind === 'delay') {
    if (fault.when !== 'after') await sleep(fault.ms);
    const result = await work();
    if (fault.when === 'after') await sleep(fault.ms);
    return result;
  }
  if (fault?.kind === 'hang' || fault?.kind === 'cut' || fault?.kind === 'end') {
    if (fault.when === 'after') await work();
    if (fault.kind === 'end') return ENDED;
    if (fault.kind === 'cut') cut();
    return never();
  }
  return work();
}
