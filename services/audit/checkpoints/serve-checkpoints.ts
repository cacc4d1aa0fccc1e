import type { z } from 'zod';
import { isBelegError } from '../../../events/errors.ts';
import { tellsDamage } from '../../../events/sqlite/faults.ts';
import { MakeCheckpoint, RecordStatus } from '../../../events/messages/audit.ts';
import type { SigningKey, VerifierKey } from '../../../events/proof/keys.ts';
import { EMPTY_ROOT } from '../../../events/proof/merkle.ts';
import { lookEvery, systemClock, type Clock } from '../../foundation/clock.ts';
import type { Watch } from '../../foundation/watch-followers.ts';
import { whileHeld } from '../../foundation/lease-holder.ts';
import { Responder } from '../../foundation/responder.ts';
import { checkpointFile } from './checkpoint-file.ts';
import { openCheckpointRun, type CheckpointRun } from './make-checkpoints.ts';
import type { ServiceParts } from '../../foundation/service-parts.ts';
import { ERASURES_STREAM, TextErased } from '../../../events/catalog/audit.ts';
import { newestCheckpoint, type Checkpoint } from '../../../events/proof/checkpoint.ts';
import { parseNote } from '../../../events/proof/signed-note.ts';

interface CheckpointsOptions extends Omit<ServiceParts, 'actors'> {
  watch?: Pick<Watch, 'add'>;
  key: SigningKey | null;
  settings: { checkpointFile: string; checkpointEvery: number };
  clock?: Pick<Clock, 'after' | 'every'>;
}

const LEASE = 'checkpoints';

export type CheckpointStatus = ReturnType<Checkpointer['status']>;

export type Checkpoints = ReturnType<typeof serveCheckpoints>;

/**
 * Makes checkpoints of the whole record, in one process at a time. Every process can say how far the record is proven.
 * If the checkpoint file cannot be written, or belongs to another record, checkpoints are still recorded as events.
 */
export function serveCheckpoints(options: CheckpointsOptions) {
  let held: Checkpointer | null = null;
  new Responder(options, 'audit').answer(RecordStatus, createRecordStatus(options));
  const part = whileHeld(options.leases, LEASE, async (giveUp) => {
    const checkpointer = (held = startCheckpointer(options, giveUp));
    const unwatch = options.watch?.add('checkpoints', checkpointer);
    const requests = new Responder(options, 'audit', LEASE);
    requests.answer(MakeCheckpoint, checkpointer.make);
    return async () => {
      const ended = checkpointer.end();
      await requests.leave();
      await ended;
      await unwatch?.();
      held = null;
    };
  });
  return { part, status: () => held?.status() ?? null };
}

/** The interval at which the file is compared with its last known state. */
const LOOK_MS = 2_000;

type Checkpointer = ReturnType<typeof startCheckpointer>;

/**
 * Makes checkpoints while this process holds the lease, until it is ended or the record no longer allows a checkpoint.
 */
function startCheckpointer(options: CheckpointsOptions, giveUp: () => void) {
  const { store, leases, logger, settings, clock = systemClock } = options;
  const file = checkpointFile(settings.checkpointFile);
  const ending = new AbortController();
  /** Why the file is behind the record; `null` if it is not, `undefined` before the first try. */
  let fileFault: string | null | undefined;
  let run: CheckpointRun | null = null;
  /** Whether the record is damaged. This does not pass while the process runs: it has to be started on a backup. */
  let isRecordDamaged = false;
  const opening = openCheckpointRun({
    ...options,
    clock,
    every: settings.checkpointEvery,
    onRecorded: () => inTurn(bringUp),
  });
  const running = follow();

  /** Lines are written one after the other. */
  let writing: Promise<void> = Promise.resolve();
  // A failed check is ignored, because the next check or the next checkpoint tries again.
  const endLooks = lookEvery(LOOK_MS, () => inTurn(look).catch(() => undefined), clock);

  /**
   * Checks the file. The record can be compared with this copy, so a removed file is restored before the next
   * checkpoint. The check waits for its turn, because a file that is being written differs from its last known state.
   * After a standstill of this process the next holder may have written the file, so only the holder of the lease
   * checks it.
   */
  async function look(): Promise<void> {
    if (!ending.signal.aborted && leases.held().includes(LEASE) && file.isChanged()) await bringUp();
  }

  function inTurn(task: () => Promise<void>): Promise<void> {
    const turn = writing.then(task);
    writing = turn.catch(() => undefined);
    return turn;
  }

  async function bringUp(): Promise<void> {
    let fault: string | null = null;
    if (file.isChanged()) {
      logger.error(
        'AUDIT_CHECKPOINT_FILE was removed or changed by somebody else; what it lacks is written again',
      );
    }
    try {
      await file.bringUp(store);
    } catch (error) {
      if (isBelegError(error, 'STORE_UNAVAILABLE')) throw error;
      fault = String(error);
      if (fault !== fileFault) {
        logger.error(
          { err: error },
          'AUDIT_CHECKPOINT_FILE cannot be written; checkpoints are only kept in the record',
        );
      }
    }
    if (fault === null && typeof fileFault === 'string') {
      logger.info('AUDIT_CHECKPOINT_FILE can be written again');
    }
    fileFault = fault;
  }

  /**
   * Follows the record. Never rejects. After a fault that is not in the record itself, the lease is given up: a process
   * that has lost the lease without notice would otherwise write after the new holder.
   */
  async function follow(): Promise<void> {
    try {
      run = await opening;
      await run.follow(ending.signal);
    } catch (error) {
      if (ending.signal.aborted) return;
      const mayPass = isBelegError(error, 'STORE_UNAVAILABLE', 'WRONG_EXPECTED_REVISION');
      if (mayPass && !tellsDamage(error)) {
        logger.warn({ err: error }, 'no checkpoint can be made right now; trying again');
        return giveUp();
      }
      isRecordDamaged = true;
      logger.error(
        { err: error },
        'no new checkpoints can be made: the record or its last checkpoint is damaged',
      );
    }
  }

  return {
    /** A checkpoint covers all events. */
    filter: {},
    delivered: (): string => run?.position ?? '',
    // With the tree of another record the run would make checkpoints that never match this record.
    onLostPlace: giveUp,
    fault: () =>
      isRecordDamaged
        ? ('record_damaged' as const)
        : typeof fileFault === 'string'
          ? ('file_not_written' as const)
          : null,
    status: () => ({
      /** Whether the run has reached the end of the record and follows it. */
      live: run?.live ?? false,
      /** The number of events that the last checkpoint covers; 0 before the first. */
      size: run?.size ?? 0,
      /** The number of events that no checkpoint covers yet, not counting checkpoints. */
      uncovered: run?.uncovered ?? 0,
      /** Whether the file outside the record has all checkpoints. */
      fileWritten: fileFault === null,
    }),
    make: async (): Promise<z.input<typeof MakeCheckpoint.reply>> => {
      const { checkpoint, repeated } = await (await opening).make();
      const { size, root, note } = checkpoint ?? { size: 0, root: EMPTY_ROOT.toString('hex'), note: '' };
      return { size, root, note, repeated };
    },
    async end(): Promise<void> {
      ending.abort();
      await endLooks();
      await running;
    },
  };
}

/** Answers `RecordStatus` from the record itself, so that any process can. */
function createRecordStatus({
  store,
  key,
}: CheckpointsOptions): () => Promise<z.input<typeof RecordStatus.reply>> {
  /** The number of erasures counted so far, so that only new events of their stream are read. */
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

/**
 * The key that signed a checkpoint: the whole public key if it is the present one. Of an earlier key only name and id
 * are known.
 */
function signerOf({ note }: Checkpoint, key: VerifierKey | null): string | null {
  const [signature] = parseNote(note).signatures;
  if (signature === undefined) return null;
  return signature.keyId === key?.keyId ? key.line : `${signature.name}+${signature.keyId}`;
}
