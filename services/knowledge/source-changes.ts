import type { Source } from '../../kb/source.ts';

/** The changes of a reindex, by source id and content. */
interface Changes {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * Compares two lists sorted by id. What has not changed is the same object after a change of few files, so that a large base is
 * compared within a few milliseconds on the event loop.
 */
export function compareSources(before: readonly Source[], after: readonly Source[]): Changes {
  let [added, changed, removed] = [0, 0, 0];
  let at = 0;
  for (const source of after) {
    for (; at < before.length && before[at]!.id < source.id; at++) removed++;
    const old = before[at];
    if (old?.id !== source.id) added++;
    else {
      if (old !== source && contentOf(old) !== contentOf(source)) changed++;
      at++;
    }
  }
  return { added, changed, removed: removed + before.length - at };
}

function contentOf({ title, section, stand, work, url, lang, text }: Source): string {
  return JSON.stringify([title, section, stand, work, url, lang, text]);
}
