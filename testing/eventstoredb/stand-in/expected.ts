import { MAX_REVISION } from './protocol.ts';

/** The expected revision of an append, delete or tombstone, or one of the named states. */
export type Expected = 'any' | 'no_stream' | 'stream_exists' | bigint;

interface ExpectedOptions {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

export function expectedOf(options: ExpectedOptions, revision: string): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  const exact = BigInt(revision);
  return exact > MAX_REVISION ? BigInt.asIntN(64, exact) : exact;
}

/** The number for it in the metadata of the server's errors. */
export function expectedNumber(expected: Expected): bigint {
  switch (expected) {
    case 'no_stream':
      return -1n;
    case 'any':
      return -2n;
    case 'stream_exists':
      return -4n;
    default:
      return expected;
  }
}
