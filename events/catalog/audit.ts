import { z } from 'zod';
import { defineEvent } from '../define.ts';

/** All erasures have one stream and one writer, whose place in it says what still has to be done. */
export const ERASURES_STREAM = 'erasures';

/** One stream for the checkpoints of the whole record. */
export const CHECKPOINTS_STREAM = 'checkpoints';

/** The intent: what follows in the vault and in the tables is done again after a crash until `TextErased` is here. */
export const ErasureRequested = defineEvent('audit', 'ErasureRequested', {
  request_id: z.string(),
  /** The reason, in clear text and for good: it must name no person. */
  reason: z.string(),
  by: z.enum(['operator', 'retention']),
});

/** The key of the request's text is gone: its question, answer, feedback and comments can be read nowhere any more. */
export const TextErased = defineEvent('audit', 'TextErased', { request_id: z.string() });

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Count = z.int().nonnegative();

/** The head of a stream at that time: its last revision and that event's chain hash. */
export const StreamHead = z.strictObject({ stream: z.string(), revision: Count, hash: Hash });

/**
 * The first `size` events of `$all`, as one root: a Merkle tree hash (RFC 6962) over their chain hashes. The newest one
 * says enough to go on from there.
 */
export const RecordCheckpointed = defineEvent('audit', 'RecordCheckpointed', {
  size: Count,
  root: Hash,
  /** Signed note (C2SP tlog-checkpoint): what a verifier outside the store keeps. Without signature where no key is set. */
  note: z.string(),
  /** The position, in this store, of the last event covered. */
  position: z.string(),
  /** Roots of the perfect subtrees from left to right: what the tree needs to grow. */
  frontier: z.array(Hash),
  /** Streams that have grown since the checkpoint before it, by name. */
  heads: z.array(StreamHead),
});
