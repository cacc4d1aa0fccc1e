/**
 * A key that is stored under this name in the session storage of this tab only. A browser that blocks what sites store throws at
 * each access: the key is then remembered until the page is left.
 */
export function storedKey(name: string) {
  let remembered = '';
  return {
    read: (): string => {
      try {
        return sessionStorage.getItem(name) ?? '';
      } catch {
        return remembered;
      }
    },
    write: (value: string): void => {
      remembered = value;
      try {
        if (value === '') sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, value);
      } catch {
        // It is kept in memory alone.
      }
    },
  };
}

/** A fault of a field, by its path in the request. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** The body of an error. */
export interface Problem {
  readonly title: string;
  readonly code: string;
  readonly detail?: string;
  readonly request_id: string;
  readonly errors?: readonly Fault[];
}

/** This module is in `pages`, below the base path of a proxy. */
const ROOT = new URL('..', import.meta.url);

/** The address of a path of the service, like `/v1/ask`. */
export const addressOf = (path: string): URL => new URL(`.${path}`, ROOT);

interface Sending {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly key: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

/** An error response: its body, and the seconds to wait if it has any. */
export class ServiceError extends Error {
  readonly problem: Problem;
  /** Seconds to wait before another try; 0 if the service named none. */
  readonly retryAfter: number;
  /** The HTTP status of the response; 0 if the response began successfully and failed later. */
  readonly status: number;

  constructor(problem: Problem, { retryAfter = 0, status = 0 } = {}) {
    super(problem.title);
    this.problem = problem;
    this.retryAfter = retryAfter;
    this.status = status;
  }
}

/**
 * Sends JSON, if there is a body, with this key. Returns a successful response; throws `ServiceError`, or the error of
 * `fetch` if nobody answers or it is aborted.
 */
export async function send(
  path: string,
  { method = 'POST', body, key, accept = 'application/json', signal }: Sending,
): Promise<Response> {
  const response = await fetch(addressOf(path), {
    method,
    headers: {
      accept,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache: 'no-store',
    signal: signal ?? null,
  });
  if (response.ok) return response;
  const retryAfter = Number(response.headers.get('retry-after')) || 0;
  throw new ServiceError(await problemOf(response), { retryAfter, status: response.status });
}

/** Sends as `send` does and reads JSON. */
export async function sendForJson<T>(path: string, sending: Sending): Promise<T> {
  const response = await send(path, sending);
  return response.json();
}

const UNREACHABLE = { code: 'UNREACHABLE', title: 'The service cannot be reached' };

/** The error in a response. A proxy may answer with another body than the service. */
async function problemOf(response: Response): Promise<Problem> {
  try {
    const body: Problem = await response.json();
    if (typeof body.title === 'string') return body;
  } catch {
    // The body is no JSON, so the title comes from the status.
  }
  return problemFrom(response);
}

/** Titles for errors that a proxy answers itself, by their status. */
const OF_PROXY: Readonly<Record<number, Pick<Problem, 'code' | 'title'>>> = {
  413: { code: 'BODY_TOO_LARGE', title: 'The request is too large' },
  429: { code: 'RATE_LIMITED', title: 'Too many requests' },
  502: UNREACHABLE,
  503: UNREACHABLE,
  504: UNREACHABLE,
};

export function problemFrom({ status, headers }: Response): Problem {
  return {
    ...(OF_PROXY[status] ?? {
      code: 'PROXY_ANSWERED',
      title: 'A server in front of the service has answered',
    }),
    detail: `HTTP ${status}`,
    request_id: headers.get('x-request-id') ?? '',
  };
}
