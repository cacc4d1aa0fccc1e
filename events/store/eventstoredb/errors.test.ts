import { AccessDeniedError } from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { isAccessDenied, isTransient, storeError } from './errors.ts';

/** The words of 24.10.4 and of the client. */
const HEARD = 'No connection established. Last error: ';

describe('errors of EventStoreDB', () => {
  it.each([
    ['Error: unable to verify the first certificate; if the root CA is installed locally', /tlsCAFile=/],
    ['Error: self-signed certificate in certificate chain.', /tlsCAFile=/],
    [
      "Error: Hostname/IP does not match certificate's altnames: IP: 127.0.0.2 is not in the list",
      /does not match the host name/,
    ],
    [
      'Error: 407D:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number',
      /add tls=false/,
    ],
    ['Failed to connect (2026-11-22T09:39:32.123Z).', /remove tls=false/],
    ['Error: connect ECONNREFUSED 127.0.0.1:1.', /^nothing answers at its address$/],
    ['Protocol error (2026-01-15T08:00:00.000Z).', /^what answers at its address is no event store$/],
  ])('say what is wrong with the connection: %s', (text, detail) => {
    const error = storeError(new Error(`14 UNAVAILABLE: ${HEARD}${text}`));
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', detail: expect.stringMatching(detail) });
  });

  it.each(['Unexpected ReadAllResult: InvalidPosition', 'Trying to read from an invalid position.'])(
    'never call the store away for a place that it does not have: %s',
    (text) => {
      const error = new Error(`2 UNKNOWN: ${text}`);
      expect(storeError(error)).toMatchObject({ code: 'POSITION_UNKNOWN', status: 422 });
      expect(isTransient(error)).toBe(false);
    },
  );

  it('tell a refusal of rights apart', () => {
    expect(isAccessDenied(storeError(new AccessDeniedError()).cause)).toBe(true);
    expect(isAccessDenied(storeError(new Error('x')).cause)).toBe(false);
  });
});
