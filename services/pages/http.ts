/** A key, kept under this name in the session storage of this tab alone. */
export const storedKey = (name: string) => ({
  read: (): string => sessionStorage.getItem(name) ?? '',
  write(value: string): void {
    if (value === '') sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  },
});

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

/** This module lies in `pages`, below the path that a proxy may serve everything at. */
const ROOT = new URL('..', import.meta.url);

/** The address of a path of the service: `/v1/ask`. */
export const addressOf = (path: string): URL => new URL(`.${path}`, ROOT);

interface Sending {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly key: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

/** What the service answered instead: its error body, and the seconds to wait where it named them. */
export class ServiceError extends Error {
  readonly problem: Problem;
  /** Seconds; 0 where it named none. */
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
 * Sends JSON, where there is a body, with this key. The response is one of success; throws `ServiceError`, or what
 * `fetch` throws when nobody answers or it is aborted.
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

/** A proxy in between may answer with something else than the service would. */
async function problemOf(response: Response): Promise<Problem> {
  try {
    const body: Problem = await response.json();
    if (typeof body.title === 'string') return body;
  } catch {
    // Not JSON: what the status says has to do.
  }
  return problemFrom(response);
}

export function problemFrom(response: Response): Problem {
  return {
    title: `HTTP ${response.status}`,
    code: '',
    request_id: response.headers.get('x-request-id') ?? '',
  };
}
