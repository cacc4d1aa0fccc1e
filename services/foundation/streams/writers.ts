import type { StreamDefinition } from '../../../actors/streams/define-stream.ts';
import type { DomainEvent } from '../../../events/define.ts';
import { StreamWriter, type StreamWriterOptions } from './writer.ts';

/** The writers of a kind of stream. */
export type WritersOf<Definition> =
  Definition extends StreamDefinition<infer State, infer Command, infer Event, infer Context>
    ? StreamWriters<State, Command, Event, Context>
    : never;

/** The number of idle writers that are kept, so that their next command need not read the stream. */
const KEPT = 256;

/**
 * One writer for each stream of a kind, shared by all callers of this process. A writer that is finding out about an
 * append is kept, so that nobody writes past it. A lost writer is kept too, unless others may write: this process must
 * not continue what another holder has begun.
 */
export class StreamWriters<State, Command, Event extends DomainEvent<string, unknown>, Context> {
  readonly #definition: StreamDefinition<State, Command, Event, Context>;
  readonly #options: StreamWriterOptions<State, Context>;
  /** Writers in the order of use: the one used last is at the end. */
  readonly #writers = new Map<string, StreamWriter<State, Command, Event, Context>>();

  constructor(
    definition: StreamDefinition<State, Command, Event, Context>,
    options: StreamWriterOptions<State, Context>,
  ) {
    this.#definition = definition;
    this.#options = options;
  }

  /**
   * Returns the writer of a stream. A stream that has no writer here is assumed to be new; the first append finds
   * out whether it is.
   */
  of(stream: string): StreamWriter<State, Command, Event, Context> {
    return this.#known(stream) ?? this.#keep(new StreamWriter(this.#definition, stream, this.#options));
  }

  /** Reads the stream if there is no writer for it here. Rejects as `StreamWriter.open` does. */
  async open(stream: string): Promise<StreamWriter<State, Command, Event, Context>> {
    const known = this.#known(stream);
    if (known !== undefined) return known;
    const opened = await StreamWriter.open(this.#definition, stream, this.#options);
    // Another caller may have opened a writer of the stream meanwhile.
    return this.#known(stream) ?? this.#keep(opened);
  }

  /** Closes all writers. */
  async close(): Promise<void> {
    await Promise.all([...this.#writers.values()].map((writer) => writer.close()));
  }

  #known(stream: string): StreamWriter<State, Command, Event, Context> | undefined {
    const writer = this.#writers.get(stream);
    if (writer === undefined || (writer.isLost && this.#options.shared === true)) return undefined;
    return this.#keep(writer);
  }

  #keep(writer: StreamWriter<State, Command, Event, Context>): typeof writer {
    this.#writers.delete(writer.stream);
    this.#writers.set(writer.stream, writer);
    for (const [stream, other] of this.#writers) {
      if (this.#writers.size <= KEPT) break;
      if (other.isIdle && other !== writer) this.#writers.delete(stream);
    }
    return writer;
  }
}
