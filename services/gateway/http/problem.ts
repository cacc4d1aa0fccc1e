import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { listErrors, type ErrorCode } from '../../../events/error-codes.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import { retryAfterOf } from './retry-after.ts';

export const PROBLEM_TYPE = 'application/problem+json';

const CODES = listErrors().map(({ code }) => code);

const ERROR_TABLE = `Body of every error.

| Code | Status | Meaning |
|---|---|---|
${listErrors()
  .map(({ code, status, title }) => `| \`${code}\` | ${status} | ${title} |`)
  .join('\n')}`;

/** The body of every error (RFC 9457). */
export const Problem = z
  .object({
    type: z.string().describe('URI for this kind of problem; contains the code'),
    title: z.string().describe('Title of the code, always the same'),
    status: z.int().describe('The HTTP status'),
    detail: z.string().describe('What is wrong in this case'),
    code: z
      .string()
      .describe(
        'Stable error code; programs should check this. New ones may come: treat one that you do not know by its `status`',
      )
      .meta({ examples: CODES }),
    request_id: z.string(),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('For an invalid request: the invalid fields'),
  })
  .describe(ERROR_TABLE);
export type Problem = z.output<typeof Problem>;

export const WRONG_MEDIA_TYPE = 'The media type must be application/json';

const FASTIFY_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
};

/** The most faults in an error; further ones are left out. */
const MAX_FAULTS = 20;
const MAX_PATH = 200;

/** Converts any thrown value to a `BelegError`. An unknown one becomes `INTERNAL`, with its cause for the log. */
export function toBelegError(error: unknown): BelegError {
  if (isBelegError(error)) return error;
  if (!(error instanceof Error)) return new BelegError('INTERNAL', { cause: error });
  const code = 'code' in error ? FASTIFY_ERRORS[String(error.code)] : undefined;
  if (code === 'INVALID_JSON') return new BelegError(code, { detail: WRONG_MEDIA_TYPE, cause: error });
  if (code !== undefined) return new BelegError(code, { cause: error });
  const status = 'statusCode' in error ? Number(error.statusCode) : 500;
  // The file server refuses paths outside of its folder; for clients they do not exist.
  if (status === 403 || status === 404) return new BelegError('NOT_FOUND', { cause: error });
  return new BelegError(status >= 400 && status < 500 ? 'BAD_REQUEST' : 'INTERNAL', { cause: error });
}

/** The public form of an error, without stack, cause or facts about the machine. */
export function problemOf(error: BelegError, requestId: string): Problem {
  const errors = error.errors?.slice(0, MAX_FAULTS).map(({ path, message }) => ({
    path: path.slice(0, MAX_PATH),
    message,
  }));
  return {
    type: `urn:beleg:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title: error.title,
    status: error.status,
    detail: error.detail ?? describe(errors) ?? error.title,
    code: error.code,
    request_id: requestId,
    ...(errors === undefined ? {} : { errors }),
  };
}

export function sendProblem(reply: FastifyReply, error: BelegError): FastifyReply {
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
  if (error.status === 401) void reply.header('www-authenticate', 'Bearer');
  return reply.code(error.status).type(PROBLEM_TYPE).send(problemOf(error, reply.request.id));
}

function describe(errors: Problem['errors']): string | undefined {
  const [first, ...others] = errors ?? [];
  if (first === undefined) return undefined;
  const fault = first.path === '' ? first.message : `${first.path}: ${first.message}`;
  return others.length === 0 ? fault : `${fault} (and ${others.length} more)`;
}
