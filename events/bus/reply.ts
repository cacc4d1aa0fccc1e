import { isErrorCode } from '../error-codes.ts';
import { BelegError } from '../errors.ts';
import { z } from 'zod';
import type { Message, ReplyMessage } from './bus.ts';
import { fromBytes, toBytes } from './json-bytes.ts';

/** A reply with this header is an error: the header has its code, the data its JSON. */
const ERROR_HEADER = 'error';

const ErrorBody = z.object({
  code: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  retryAfter: z.number().optional(),
});

/** An error as a reply. Code, detail, faults and retry time are sent over the bus, but neither stack nor cause. */
export function errorReply(error: BelegError): ReplyMessage {
  const { code, detail, errors, retryAfter } = error;
  return {
    data: toBytes({ code, detail, errors, retryAfter }),
    headers: { [ERROR_HEADER]: code },
  };
}

/** The error in a reply, or `undefined` if the reply is no error. An unknown code is read as `INTERNAL`. */
export function replyError(reply: Message): BelegError | undefined {
  if (reply.headers[ERROR_HEADER] === undefined) return undefined;
  const body = ErrorBody.safeParse(parse(reply.data));
  if (!body.success) return new BelegError('INTERNAL', { cause: body.error });
  const { code, detail, errors, retryAfter } = body.data;
  return new BelegError(isErrorCode(code) ? code : 'INTERNAL', {
    detail,
    errors,
    retryAfter,
  });
}

function parse(data: Uint8Array): unknown {
  try {
    return fromBytes(data);
  } catch (error) {
    return error;
  }
}
