import type { Source } from '../../kb/source.ts';

/** The changes of a reindex, by source id and content. */
interface Changes {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export function compareSources(before: readonly Source[], after: readonly Source[]): Changes {
  const old = new Map(before.map((source) => [source.id, contentOf(source)]));
  let added = 0;
  let changed = 0;
  for (const source of after) {
    const content = old.get(source.id);
    if (content === undefined) added += 1;
    else if (content !== contentOf(source)) changed += 1;
  }
  const removed = before.length - (after.length - added);
  return { added, changed, removed };
}

function contentOf({ title, section, stand, work, url, lang, text }: Source): string {
  return JSON.stringify([title, section, stand, work, url, lang, text]);
}
