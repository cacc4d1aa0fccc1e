/** Many times what the longest reply takes. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/** Breaks off a reply without an end, and follows no redirect: the prompt goes to the configured server alone. */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'error' });
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_REPLY_BYTES) controller.error(new RangeError('The reply is too long'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(counting) ?? null, { status, statusText, headers });
}
