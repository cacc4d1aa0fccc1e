import type { z } from 'zod';
import { ERASURES_STREAM, TextErased } from '../../../events/catalog/audit.ts';
import type { RecordStatus } from '../../../events/messages/audit.ts';
import { newestCheckpoint, type Checkpoint } from '../../../events/proof/checkpoint.ts';
import type { VerifierKey } from '../../../events/proof/keys.ts';
import { parseNote } from '../../../events/proof/note.ts';
import type { RecordReader } from '../../../events/store/store.ts';

type StreamReader = Pick<RecordReader, 'readStream'>;

/** Answers `RecordStatus` from the record itself, so that any process can. */
export function createRecordStatus({
  store,
  key,
}: {
  store: StreamReader;
  key: VerifierKey | null;
}): () => Promise<z.input<typeof RecordStatus.reply>> {
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
