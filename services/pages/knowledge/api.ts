import type { AskResponse } from '../../../events/messages/knowledge.ts';
import type { HealthResponse } from '../../gateway/knowledge/health.ts';
import { addressOf, problemFrom, send, sendForJson, ServiceError, storedKey, type Problem } from '../http.ts';

/** The service key. */
export const key = storedKey('beleg.key');

/** Reads JSON. Throws as `post` does. */
export const get = <T>(path: string): Promise<T> => sendForJson(path, { method: 'GET', key: key.read() });

/** Sends and reads JSON. Throws `ServiceError`, or the error of `fetch` if nobody answers or it is aborted. */
export const post = <T>(path: string, body: unknown): Promise<T> =>
  sendForJson(path, { body, key: key.read() });

/**
 * Asks for an answer with its steps: calls `onStep(name, data)` as each step is done, even if a proxy delivers them
 * late, and with `not_recorded` if the answer could not be recorded. Returns the answer, even if no steps arrive.
 * Throws as `post` does, and a `ServiceError` if the answer is cut off.
 */
export async function postInSteps(
  path: string,
  body: unknown,
  { signal, onStep }: { signal: AbortSignal; onStep: (name: string, data: unknown) => void },
): Promise<AskResponse> {
  const accept = 'text/event-stream, application/json';
  const response = await send(path, { body, key: key.read(), accept, signal });
  if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
    if (response.headers.get('x-answer-not-recorded') === 'true') onStep('not_recorded', null);
    return response.json();
  }
  try {
    for await (const { event, data } of readEvents(response.body!)) {
      if (event === 'answer') return data as AskResponse;
      if (event === 'problem') throw new ServiceError(data as Problem);
      onStep(event, data);
    }
  } catch (error) {
    if (signal.aborted || error instanceof ServiceError) throw error;
    // The connection broke, or the data was no event.
  }
  const title = 'The answer was cut off on its way';
  throw new ServiceError({ ...problemFrom(response), title, detail: title, code: 'CUT_OFF' });
}

/** Reads health, which has the same body if the service is not ready. */
export async function readHealth(): Promise<HealthResponse> {
  // Names of files are only told to clients that may ask questions, so the key is sent.
  const headers = key.read() === '' ? {} : { authorization: `Bearer ${key.read()}` };
  const response = await fetch(addressOf('/v1/health'), { cache: 'no-store', headers });
  const health: HealthResponse & Problem = await response.json();
  if (health.index === undefined) throw new ServiceError(health);
  return health;
}

/** The server-sent events of a body with their JSON data, however its bytes are divided. */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // An event is only complete with its empty line.
      if (done) return;
      const blocks = (text + value).split(/\r?\n\r?\n/);
      text = blocks.pop()!;
      for (const block of blocks) yield* parse(block);
    }
  } finally {
    // Data after the wanted event is not needed.
    reader.cancel().catch(() => {});
  }
}

/** The event in a block of lines. A proxy may send comments without data to keep the connection open. */
function* parse(block: string): Generator<{ event: string; data: unknown }> {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line)!;
    if (field === 'event') event = value!;
    if (field === 'data') data.push(value!);
  }
  if (data.length > 0) yield { event, data: JSON.parse(data.join('\n')) };
}
