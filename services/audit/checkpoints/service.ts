import type { z } from 'zod';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import { MakeCheckpoint, RecordStatus } from '../../../events/messages/audit.ts';
import type { SigningKey, VerifierKey } from '../../../events/proof/keys.ts';
import { EMPTY_ROOT } from '../../../events/proof/merkle.ts';
import { systemClock } from '../../clock.ts';
import type { Watch } from '../../followers.ts';
import { whileHeld, type HeldPart } from '../../lease-holder.ts';
import { Responder } from '../../responder.ts';
import { CheckpointFile } from './file.ts';
import { CheckpointRun, type CheckpointRunOptions } from './run.ts';
import type { ServiceParts } from '../../service-parts.ts';
import { ERASURES_STREAM, TextErased } from '../../../events/catalog/audit.ts';
import { newestCheckpoint, type Checkpoint } from '../../../events/proof/checkpoint.ts';
import { parseNote } from '../../../events/proof/note.ts';

interface CheckpointsOptions extends ServiceParts {
  watch?: Pick<Watch, 'add'>;
  key: SigningKey | null;
  settings: { checkpointFile: string; checkpointEvery: number };
  clock?: CheckpointRunOptions['clock'];
}

export type CheckpointStatus = ReturnType<Checkpointer['status']>;

export interface Checkpoints {
  readonly part: HeldPart;
  /** `null` where another process makes them. */
  status(): CheckpointStatus | null;
}

/**
 * Checkpoints of the whole record, by one process at a time. Any process tells how far the record is proven. Where the
 * file cannot be written, or is of another record, checkpoints are made all the same, as events.
 */
export function serveCheckpoints(options: CheckpointsOptions): Checkpoints {
  let held: Checkpointer | null = null;
  new Responder(options, 'audit').answer(RecordStatus, createRecordStatus(options));
  const part = whileHeld(options.leases, 'checkpoints', async (giveUp) => {
    const checkpointer = (held = new Checkpointer(options, giveUp));
    const unwatch = options.watch?.add('checkpoints', checkpointer);
    const ending = new AbortController();
    const running = checkpointer.run(ending.signal);
    const requests = new Responder(options, 'audit');
    requests.answer(MakeCheckpoint, () => checkpointer.make());
    return async () => {
      ending.abort();
      await requests.leave();
      await running;
      await unwatch?.();
      held = null;
    };
  });
  return { part, status: () => held?.status() ?? null };
}

/** One run, while the lease is held. */
class Checkpointer {
  readonly #options: CheckpointsOptions;
  readonly #giveUp: () => void;
  readonly #file: CheckpointFile;
  #opening: Promise<CheckpointRun> | null = null;
  #run: CheckpointRun | null = null;
  /** Why the file is not as far as the record: `null` where it is, `undefined` before the first try. */
  #fileFault: string | null | undefined;

  constructor(options: CheckpointsOptions, giveUp: () => void) {
    this.#options = options;
    this.#giveUp = giveUp;
    this.#file = new CheckpointFile(options.settings.checkpointFile);
  }

  /** It wants all events. */
  readonly filter = {};

  readonly delivered = (): string => this.#run?.position ?? '';

  status() {
    return {
      /** Whether it has come to the end of the record and goes with it. */
      live: this.#run?.live ?? false,
      /** Events that the last checkpoint covers; 0 before the first. */
      size: this.#run?.size ?? 0,
      /** Events that no checkpoint covers yet, those of checkpoints aside. */
      uncovered: this.#run?.uncovered ?? 0,
      /** Whether the file outside the record holds all of them. */
      fileWritten: this.#fileFault === null,
    };
  }

  async make(): Promise<z.input<typeof MakeCheckpoint.reply>> {
    if (this.#opening === null) throw new BelegError('SERVICE_UNAVAILABLE');
    const run = await this.#opening;
    const { checkpoint, repeated } = await run.make();
    const { size, root, note } = checkpoint ?? { size: 0, root: EMPTY_ROOT.toString('hex'), note: '' };
    return { size, root, note, repeated };
  }

  /**
   * Until `signal` aborts, or the record is such that no checkpoint can follow. Never rejects. After any other fault the lease
   * is given up: whoever has lost it without hearing of it would read on, and write behind the new holder.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { logger, settings } = this.#options;
    try {
      this.#opening = CheckpointRun.open({
        clock: systemClock,
        ...this.#options,
        every: settings.checkpointEvery,
        onRecorded: () => this.#writeFile(),
      });
      this.#run = await this.#opening;
      await this.#run.follow(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isBelegError(error, 'STORE_UNAVAILABLE', 'WRONG_EXPECTED_REVISION')) {
        logger.warn({ err: error }, 'no checkpoint can be made right now; trying again');
        return this.#giveUp();
      }
      logger.error(
        { err: error },
        'no new checkpoints can be made: the record or its last checkpoint is damaged',
      );
    }
  }

  async #writeFile(): Promise<void> {
    const { store, logger } = this.#options;
    let fault: string | null = null;
    try {
      await this.#file.bringUp(store);
    } catch (error) {
      if (isBelegError(error, 'STORE_UNAVAILABLE')) throw error;
      fault = String(error);
      if (fault !== this.#fileFault) {
        logger.error(
          { err: error },
          'AUDIT_CHECKPOINT_FILE cannot be written; checkpoints are only kept in the record',
        );
      }
    }
    if (fault === null && typeof this.#fileFault === 'string')
      logger.info('AUDIT_CHECKPOINT_FILE can be written again');
    this.#fileFault = fault;
  }
}

/** Answers `RecordStatus` from the record itself, so that any process can. */
function createRecordStatus({
  store,
  key,
}: CheckpointsOptions): () => Promise<z.input<typeof RecordStatus.reply>> {
  /** Of the stream of erasures only what is new is read. */
  let counted = { next: 0n, erased: 0 };

  async function countErased(): Promise<number> {
    let { next, erased } = counted;
    for await (const { type, revision } of store.readStream(ERASURES_STREAM, { from: next })) {
      if (type === TextErased.type) erased += 1;
      next = revision + 1n;
    }
    counted = { next, erased };
    return erased;
  }

  return async () => {
    const newest = await newestCheckpoint(store);
    return {
      checkpoint:
        newest === null
          ? null
          : {
              size: newest.checkpoint.size,
              root: newest.checkpoint.root,
              at: newest.event.metadata.at,
              key: signerOf(newest.checkpoint, key),
            },
      erased: await countErased(),
    };
  };
}

/** The whole public key where it is the present one; of an earlier one its name and id are known. */
function signerOf({ note }: Checkpoint, key: VerifierKey | null): string | null {
  const [signature] = parseNote(note).signatures;
  if (signature === undefined) return null;
  return signature.keyId === key?.keyId ? key.line : `${signature.name}+${signature.keyId}`;
}
