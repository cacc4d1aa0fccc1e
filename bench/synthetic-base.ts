import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadKnowledgeBase } from '../kb/base/load.ts';
import { importStatutes } from '../kb/import/import-statutes.ts';
import { chunk } from '../kb/index/chunk.ts';
import type { Source } from '../kb/source.ts';
import { seeded } from '../events/seeded.ts';

const ROOT = join(import.meta.dirname, '..');
const STATUTES = ['statutes', 'statutes-more']
  .map((folder) => join(ROOT, '..', 'shared', folder))
  .filter((folder) => existsSync(folder));
/** One word in so many is replaced by another of the base in each copy. */
const REPLACED = 7;

/** Real sources: the statutes beside the project where they are, else the starter base. */
export async function realSources(): Promise<{ name: string; sources: readonly Source[] }> {
  if (STATUTES.length === 0) return starterSources();
  const out = await mkdtemp(join(tmpdir(), 'beleg-bench-'));
  try {
    await importStatutes({ inputs: STATUTES, out });
    return { name: 'statutes', sources: (await loadKnowledgeBase(out)).sources };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** The base that the project ships. */
export async function starterSources(): Promise<{ name: string; sources: readonly Source[] }> {
  return { name: 'starter base', sources: (await loadKnowledgeBase(join(ROOT, 'kb', 'corpus'))).sources };
}

/**
 * A base of about `passages` passages: the real sources first, then copies of them in which words are replaced by
 * others of the same base, so that vocabulary and lengths stay real and no two texts are the same. Deterministic.
 */
export function enlarge(real: readonly Source[], passages: number): Source[] {
  const counts = real.map(({ text }) => chunk({ text }).length);
  const words = real.flatMap(({ text }) => text.match(/\p{L}{3,}/gu) ?? []);
  const random = seeded(1);
  const sources: Source[] = [];
  for (let made = 0, i = 0; made < passages; i++) {
    const source = real[i % real.length]!;
    const copy = Math.floor(i / real.length);
    sources.push(
      copy === 0
        ? source
        : { ...source, id: `${source.id}.${copy}`, text: perturb(source.text, words, random) },
    );
    made += counts[i % real.length]!;
  }
  return sources;
}

/** Questions in the base's own words: a title and two words of the text. */
export function questionsOn(sources: readonly Source[], count: number): string[] {
  const random = seeded(2);
  return Array.from({ length: count }, () => {
    const { title, text } = sources[Math.floor(random() * sources.length)]!;
    const words = text.match(/\p{L}{5,}/gu) ?? [];
    const pick = (): string => words[Math.floor(random() * words.length)] ?? '';
    return `${title.replace(/^[^:]*:\s*/u, '')} ${pick()} ${pick()}`;
  });
}

function perturb(text: string, words: readonly string[], random: () => number): string {
  const perturbed = text.replace(/\p{L}{3,}/gu, (word) =>
    random() * REPLACED < 1 ? words[Math.floor(random() * words.length)]! : word,
  );
  // As a file gives it. Else it takes two bytes a letter where a word is from a text with a typographic quote.
  return Buffer.from(perturbed).toString();
}
