import { ERRORS, type ErrorCode } from './error-codes.ts';

interface ErrorOptionsWithDetail {
  /** A text that is safe for the client: no host, no path, no exception text. */
  detail?: string | undefined;
  /** The faults by field, for a validation error. */
  errors?: readonly { path: string; message: string }[] | undefined;
  /** Seconds after which another try makes sense. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

export class BelegError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly errors: readonly { path: string; message: string }[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, options: ErrorOptionsWithDetail = {}) {
    super(
      options.detail ?? ERRORS[code][1],
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'BelegError';
    this.code = code;
    this.detail = options.detail;
    this.errors = options.errors;
    this.retryAfter = options.retryAfter;
  }

  /** The HTTP status that the gateway answers with. */
  get status(): number {
    return ERRORS[this.code][0];
  }

  get title(): string {
    return ERRORS[this.code][1];
  }
}

/** True for a `BelegError` with one of the codes, or with any code if none is named. */
export function isBelegError(error: unknown, ...codes: ErrorCode[]): error is BelegError {
  return error instanceof BelegError && (codes.length === 0 || codes.includes(error.code));
}

/** The detail of an error if a service did not answer in time. The service may only be slow. */
export const NOT_IN_TIME = 'it did not answer in time';

/** Whether an error is a refusal of the request and not a failure. */
export const isRefusal = (error: unknown): boolean => isBelegError(error) && error.status < 500;
