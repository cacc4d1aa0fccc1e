import type { ServerWritableStream } from '@grpc/grpc-js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { Context } from './context.ts';
import type { StoredEvent } from './stored-event.ts';
import type { Fault } from './faults.ts';
import { nextEvent, streamIdentifier, uuidOf } from './protocol.ts';

export type ReadCall = ServerWritableStream<pb.ReadReq, pb.ReadResp>;

/** .NET counts in units of 100 nanoseconds. */
const TICKS_PER_MILLISECOND = 10_000n;

/** The responses of a read or subscription at the reader's pace until it is gone, with the fault at its place. */
export class Outgoing {
  readonly #call: ReadCall;
  readonly #context: Context;
  readonly #fault: Fault | undefined;
  readonly #gone = new AbortController();
  readonly #idForm: 'text' | 'halves';
  #events = 0;
  #stalled = false;

  constructor(call: ReadCall, context: Context, fault: Fault | undefined) {
    this.#call = call;
    this.#context = context;
    this.#fault = fault;
    this.#idForm = call.request.getOptions()!.getUuidOption()?.hasStructured() ? 'halves' : 'text';
    const gone = (): void => this.#gone.abort();
    call.on('cancelled', gone);
    call.on('close', gone);
    call.on('error', gone);
  }

  /** Aborted when nothing more will be read. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Sends nothing from now on, without ending. */
  stall(): void {
    this.#stalled = true;
  }

  end(): void {
    if (this.gone.aborted) return;
    this.#gone.abort();
    this.#call.end();
  }

  async event(event: StoredEvent): Promise<void> {
    await this.faultHere();
    this.#events++;
    await this.send(new pb.ReadResp().setEvent(readEvent(event, this.#idForm)));
  }

  async send(response: pb.ReadResp): Promise<void> {
    if (this.#stalled) await this.#untilGone();
    if (this.gone.aborted) return;
    if (!this.#call.write(response)) await nextEvent(this.#call, 'drain', this.gone);
  }

  /** Ends the call, unless it is stalled. */
  async finish(): Promise<void> {
    if (this.#stalled) await this.#untilGone();
    this.end();
  }

  async #untilGone(): Promise<void> {
    if (this.gone.aborted) return;
    await new Promise((resolve) => this.gone.addEventListener('abort', resolve, { once: true }));
  }

  /** The fault happens after as many events as it says. A cut may overtake the last of them. */
  async faultHere(): Promise<void> {
    const fault = this.#fault;
    if (fault?.kind !== 'hang' && fault?.kind !== 'cut' && fault?.kind !== 'end') return;
    if ((fault.afterEvents ?? 0) !== this.#events) return;
    if (fault.kind === 'hang') this.stall();
    if (fault.kind === 'cut') {
      this.#context.cut();
      this.#gone.abort();
    }
    if (fault.kind === 'end') this.end();
  }
}

function readEvent(event: StoredEvent, idForm: 'text' | 'halves'): pb.ReadResp.ReadEvent {
  const position = String(event.position);
  const recorded = new pb.ReadResp.ReadEvent.RecordedEvent()
    .setId(uuidOf(event.id, idForm))
    .setStreamIdentifier(streamIdentifier(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setCustomMetadata(event.metadata)
    .setData(event.data);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', String(BigInt(event.created) * TICKS_PER_MILLISECOND));
  return new pb.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position);
}
