import { z } from 'zod';
import { defineEvent } from '../define.ts';
import { Count, Hash } from '../schemas.ts';

/** All erasures have one stream with one writer. Its state says which erasures still have to be done. */
export const ERASURES_STREAM = 'erasures';

/** One stream for the checkpoints of the whole record. */
export const CHECKPOINTS_STREAM = 'checkpoints';

/**
 * An erasure was requested. Until `TextErased` follows, a restart repeats the erasure in the vault and in the tables.
 */
export const ErasureRequested = defineEvent('audit', 'ErasureRequested', {
  request_id: z.string(),
  /** The reason, which is never encrypted or erased: it must name no person. */
  reason: z.string(),
  by: z.enum(['operator', 'retention']),
});

/**
 * The key of the request's text is deleted: its question, answer, feedback and comments can no longer be read anywhere.
 */
export const TextErased = defineEvent('audit', 'TextErased', { request_id: z.string() });

/** The last event of a stream at the time of a checkpoint: its revision and its chain hash. */
export const StreamHead = z.strictObject({ stream: z.string(), revision: Count, hash: Hash });

/**
 * A checkpoint of the first `size` events of `$all`: the root of the Merkle tree (RFC 6962) over their chain hashes.
 * The tree can be continued from the newest checkpoint alone.
 */
export const RecordCheckpointed = defineEvent('audit', 'RecordCheckpointed', {
  size: Count,
  root: Hash,
  /** Signed note (C2SP tlog-checkpoint) for a verifier outside the store. Without a key it has no signature. */
  note: z.string(),
  /** The position, in this store, of the last event that the checkpoint covers. */
  position: z.string(),
  /** Roots of the perfect subtrees from left to right, from which the tree can grow. */
  frontier: z.array(Hash),
  /** Streams that have grown since the previous checkpoint, by name. */
  heads: z.array(StreamHead),
});
