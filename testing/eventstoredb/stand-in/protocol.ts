import type { EventEmitter } from 'node:events';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';

export const MAX_REVISION = 2n ** 63n - 1n;

export const empty = (): sharedPb.Empty => new sharedPb.Empty();

export const googleEmpty = (): emptyPb.Empty => new emptyPb.Empty();

export function streamName(identifier: sharedPb.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

export function streamIdentifier(name: string): sharedPb.StreamIdentifier {
  return new sharedPb.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));
}

/** Clients may send and request ids as text or as two halves. */
export function uuidText(uuid: sharedPb.UUID | undefined): string {
  const halves = uuid?.getStructured();
  if (halves === undefined) return uuid?.getString() ?? '';
  const hex = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()]
    .map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function uuidOf(id: string, form: 'text' | 'halves' = 'text'): sharedPb.UUID {
  if (form === 'text') return new sharedPb.UUID().setString(id);
  const hex = id.replaceAll('-', '');
  const half = (from: number): string => String(BigInt.asIntN(64, BigInt(`0x${hex.slice(from, from + 16)}`)));
  return new sharedPb.UUID().setStructured(
    new sharedPb.UUID.Structured().setMostSignificantBits(half(0)).setLeastSignificantBits(half(16)),
  );
}

/** Resolves at the next `event`, or at once if `signal` is aborted. */
export async function nextEvent(emitter: EventEmitter, event: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      emitter.off(event, done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    emitter.on(event, done);
    signal.addEventListener('abort', done);
  });
}
