import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../events/bus/bus.ts';
import { replyError } from '../../events/bus/reply.ts';
import { ERASURES_STREAM } from '../../events/catalog/audit.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import { MODELS_STREAM } from '../../events/catalog/models.ts';
import { Erase } from '../../events/messages/audit.ts';
import { Ask } from '../../events/messages/knowledge.ts';
import { ModelStatus } from '../../events/messages/models.ts';
import type { NewEvent } from '../../events/store/store.ts';
import type { SpoolEntry } from '../../services/foundation/spool.ts';
import type { Process } from './simulated-process.ts';
import type { World } from './world.ts';

/** Checks that are made while the story goes on, because the end may hide an earlier violation. */
export class Watch {
  readonly #world: World;
  /** The number of used weights that each process has been seen with. */
  readonly #inUse = new Map<Process, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** An append must not take effect before it has landed. */
  appends(process: Process, stream: string): void {
    const { running } = this.#world.machineOf(process) ?? {};
    if (stream === MODELS_STREAM && running?.models?.status()?.in_use && this.#putToUse().length === 0)
      this.#fault(`${process.name} uses weights before any are put to use on record`);
  }

  /** An effect must be done before it is recorded. */
  landed(events: readonly NewEvent[]): void {
    for (const { type, data } of events) {
      if (type !== 'TextErased') continue;
      const { request_id } = data as { request_id: string };
      if (this.#hasKey(request_id)) this.#fault(`${request_id} is erased on record, and its key is there`);
    }
  }

  /** An intent must be recorded before its effect. */
  erases(name: string): void {
    const asked = this.#world.ledger
      .stream(ERASURES_STREAM)
      .some(({ data }) => (data as { request_id: string }).request_id === name);
    if (!asked) this.#fault(`the key of ${name} is erased, and nobody has asked for it on record`);
  }

  /** What a process replies must be true. */
  replies(process: Process, { headers }: Message, reply: Message): void {
    const look = this.#looks[reply.subject];
    if (look !== undefined && replyError(reply) === undefined)
      look(process, JSON.parse(new TextDecoder().decode(reply.data)) as never, headers['call-id']!);
  }

  readonly #looks: Readonly<Record<string, (process: Process, reply: never, callId: string) => void>> = {
    // The event is on record, or safe on its way there; unless it was counted as lost.
    [Ask.subject]: (process, { request_id }: { request_id: string }, callId) => {
      const { ledger } = this.#world;
      const stream = askStream(request_id);
      const { disk, settings, running } = this.#world.machineOf(process)!;
      const spool = join(settings.dataDir, 'spool', 'events.jsonl');
      if (eventsIn(disk.contentOf(spool)).length < (running?.knowledge?.status().spooled ?? 0))
        this.#fault(`${process.name} counts more in its spool than its next run can read`);
      const spooled = eventsIn(disk.durableOf(spool));
      const isAnswer = ({ type, metadata }: NewEvent): boolean =>
        type === 'AnswerGiven' && metadata.$causationId === callId;
      const isSafe = ledger.stream(stream).some(isAnswer) || spooled.some(isAnswer);
      if (!isSafe && running?.losses.some((loss) => loss.stream === stream) !== true)
        this.#fault(
          `${process.name} has answered ${callId}, which is neither on record nor safe on its disk`,
        );
    },
    [Erase.subject]: (process, { request_id }: { request_id: string }) => {
      if (this.#hasKey(request_id))
        this.#fault(`${process.name} has erased ${request_id}, whose key is there`);
      const { root } = this.#world.machineOf(process)!;
      for (const { name } of readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile())) {
        if (readFileSync(join(root, name)).includes(`geheim${request_id}`))
          this.#fault(`${process.name} has erased ${request_id}, whose text is in ${name}`);
      }
    },
    [ModelStatus.subject]: (process, { weights }: { weights: string | null }) => {
      if (weights === null) return;
      const put = this.#putToUse();
      const at = put.indexOf(weights, this.#inUse.get(process) ?? 0);
      if (at === -1) this.#fault(`${process.name} uses ${weights}, which is not on record`);
      else this.#inUse.set(process, at);
    },
  };

  #putToUse(): string[] {
    const events = this.#world.ledger.stream(MODELS_STREAM).filter(({ type }) => type === 'ModelPutToUse');
    return events.map(({ data }) => (data as { weights: string }).weights);
  }

  #hasKey(requestId: string): boolean {
    return this.#world.keys.hasBytesOf(requestId);
  }

  #fault(what: string): void {
    this.#world.simulation.fault(what);
  }
}

/** The events in the readable lines of a spool. */
function eventsIn(spool: Buffer = Buffer.alloc(0)): NewEvent[] {
  return spool
    .toString()
    .split('\n')
    .flatMap((line) => {
      try {
        return (JSON.parse(line) as SpoolEntry).events;
      } catch {
        return [];
      }
    });
}
