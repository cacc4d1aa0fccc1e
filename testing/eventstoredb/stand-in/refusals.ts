import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { expectedNumber, type Expected } from './expected.ts';
import type { Version } from './version.ts';

/** 1 MiB, the server's default. */
export const MAX_APPEND_SIZE = 1024 * 1024;

function refusal(code: status, details: string, metadata: Record<string, string> = {}): ServiceError {
  const error = Object.assign(new Error(details), { code, details, metadata: new Metadata() });
  for (const [key, value] of Object.entries(metadata)) error.metadata.set(key, value);
  return error;
}

/** The failure of a whole call: status, text and metadata as the server sends them. */
export const refusals = {
  unavailable: () => refusal(status.UNAVAILABLE, 'Server Is Not Ready'),
  accessDenied: () => refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  invalidArgument: (details: string) => refusal(status.INVALID_ARGUMENT, details),
  /** The error of a subscription at an impossible position. */
  invalidPosition: (version: Version) =>
    version === '23.10'
      ? refusal(status.UNKNOWN, 'Exception was thrown by handler.')
      : refusal(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.'),
  /** A read has no error of its own for this; its result has this text. */
  readResult: (kind: 'ReadAll' | 'ReadStream', result: 'Error' | 'InvalidPosition') =>
    refusal(status.UNKNOWN, `Unexpected ${kind}Result: ${result}`),
  consumerTooSlow: () =>
    refusal(
      status.ABORTED,
      'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
    ),
  unknown: (details: string) => refusal(status.UNKNOWN, details),
  notLeader: (host: string, port: number) =>
    refusal(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': String(port),
    }),
  streamDeleted: (stream: string) =>
    refusal(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
      exception: 'stream-deleted',
      'stream-name': stream,
    }),
  wrongExpectedVersion: (operation: string, stream: string, expected: Expected, current: bigint) =>
    refusal(
      status.FAILED_PRECONDITION,
      `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expectedNumber(expected)}, Actual version: ${current}`,
      {
        exception: 'wrong-expected-version',
        'stream-name': stream,
        'expected-version': String(expectedNumber(expected)),
        'actual-version': String(current),
      },
    ),
  appendTooLarge: () =>
    refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_SIZE} Exceeded.`, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(MAX_APPEND_SIZE),
    }),
  missingProperty: (property: string) =>
    refusal(status.INVALID_ARGUMENT, `Required Metadata Property '${property}' is missing`, {
      exception: 'missing-required-metadata-property',
      'required-metadata-properties': 'type,content-type',
    }),
};
