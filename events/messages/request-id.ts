import { z } from 'zod';

/** The form of a request id: 1 to 128 of these characters. */
export const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id of a request, new or on record. */
export const RequestId = z.string().regex(REQUEST_ID, 'Not a request id');

/**
 * The id of a new request. It must not be `.` or `..`: in an address these mean other paths, so nobody could look the
 * request up.
 */
export const NewRequestId = RequestId.regex(/[^.]|\.{3}/, 'Not a request id');
