import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import type { StoreFault } from '../store.ts';

/** The prefix of the stream that holds another stream's metadata. */
const METADATA_OF = '$$';
/** Metadata that hides events from readers of a stream, but not from readers of `$all`. */
const RESTRICTIONS = ['$tb', '$maxCount', '$maxAge'];

/**
 * Streams of which the server withholds events, because of their newest metadata or because they were deleted. Our code
 * does neither.
 */
export class HiddenEvents {
  readonly #details = new Map<string, string>();

  /** Takes note of one of the server's own events, in the order of `$all`. */
  note({ event }: AllStreamResolvedEvent): void {
    if (event === undefined) return;
    const { streamId, type, data } = event;
    if (type === '$streamDeleted') {
      this.#details.set(streamId, 'it was deleted permanently');
    } else if (type === '$metadata' && streamId.startsWith(METADATA_OF)) {
      const stream = streamId.slice(METADATA_OF.length);
      const set = RESTRICTIONS.filter((name) => typeof data === 'object' && data !== null && name in data);
      if (set.length > 0) this.#details.set(stream, `its metadata sets ${set.join(' and ')}`);
      else this.#details.delete(stream);
    }
  }

  faults(): StoreFault[] {
    return [...this.#details]
      .filter(([stream]) => !stream.startsWith('$'))
      .map(([stream, detail]) => ({ kind: 'hidden', stream, detail }));
  }
}
