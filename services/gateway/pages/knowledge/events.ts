interface Received {
  readonly event: string;
  readonly data: unknown;
}

/** The server-sent events of a body, each with its JSON data, however the bytes are cut into pieces. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Received> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // What is not ended by an empty line is not all there.
      if (done) return;
      const blocks = (text + value).split(/\r?\n\r?\n/);
      text = blocks.pop()!;
      for (const block of blocks) yield* parse(block);
    }
  } finally {
    // Nothing after what was wanted is worth waiting for.
    reader.cancel().catch(() => {});
  }
}

/** A proxy may send comments of its own to keep the connection open: they have no data. */
function* parse(block: string): Generator<Received> {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line)!;
    if (field === 'event') event = value!;
    if (field === 'data') data.push(value!);
  }
  if (data.length > 0) yield { event, data: JSON.parse(data.join('\n')) };
}
