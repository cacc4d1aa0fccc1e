import type { Fault } from './base/faults.ts';
import { readBase, type BaseFile } from './base/files.ts';
import { SYNONYMS_FILE } from './base/walk.ts';
import { decodeAny } from './text/decode.ts';
import { parseFrontMatter } from './base/front-matter.ts';
import { parseBase } from './base/load.ts';
import { buildIndex, type IndexData } from './index/build.ts';
import { opening, type Searched } from './index/searched.ts';
import { atOnce, TO_READ, type Steps } from './steps.ts';
import { splitSentences } from './sentences.ts';

/**
 * Beginnings of paragraphs that refer to earlier text, so that a quote of the paragraph alone cannot be understood.
 * Words that may refer to later text (`Dafür, dass …`, `Damit der …`), and a statute that refers to itself (`Dieses
 * Gesetz`), are not included.
 */
const POINTING = [
  /^(?:Dasselbe|(?:Das )?Gleiche[s]?|Entsprechendes)(?= gilt)/u,
  /^Das(?= (?:gilt|gelten|ist|sind|heißt|bedeutet|betrifft|kann|muss|darf)(?!\p{L}))/u,
  /^Dies(?:e[mnrs]?)?(?!\p{L}|\s+(?:Gesetz|Verordnung))/u,
  /^(?:In|Bei|Für|Unter|Auf|Von|Mit|Aus) (?:diese[mnr]?|solche[mnr]?)(?!\p{L}|\s+(?:Gesetz|Verordnung))/u,
  /^Solche[mnrs]?(?!\p{L})/u,
  /^(?:D(?:a|ar)|Hier)(?:an|auf|aus|bei|durch|für|gegen|in|nach|neben|rauf|über|um|unter|von|vor|zu)(?= \p{Ll})/u,
  /^Damit(?= (?!nicht)\p{Ll}+(?:t|sind|werden|haben|können|müssen|dürfen|sollen|enden|gelten)(?!\p{L}))/u,
  /^(?:Daher|Deshalb|Deswegen|Somit|Folglich|Dann|Dort|Andernfalls|Sonst|Trotzdem|Dennoch|Allerdings|Jedoch|Außerdem|Zudem|Ferner|Ebenfalls|Ebenso|Gleichfalls)(?= \p{Ll})/u,
  /^(?:Letztere|Erstere)[mnrs]?(?!\p{L})/u,
  /^Er(?= \p{Ll})/u,
  /^(?:This|These|Those|Such|They|He|She|Therefore|Otherwise|However|Moreover|In (?:this|that|such) case|The same)(?!\p{L})/u,
  /^That(?= (?:is|applies|means|also|includes))/u,
];

interface CheckedBase {
  readonly sources: number;
  readonly passages: number;
  readonly synonyms: number;
  /** The faults of files that are left out. */
  readonly faults: readonly Fault[];
  /**
   * Things that are unusual but allowed: unknown fields, control characters, paragraphs that cannot stand alone,
   * synonyms for words that are not in the base.
   */
  readonly warnings: readonly Fault[];
}

/**
 * Checks a base as an index build would, and keeps nothing.
 *
 * @throws {KnowledgeBaseInvalid} for a base that cannot be used at all.
 */
export async function checkKnowledgeBase(folder: string): Promise<CheckedBase> {
  const found = await readBase(folder);
  const { sources, synonyms, warnings, files } = await parseBase(found, { cacheDir: null });
  const data = buildIndex(sources, synonyms);
  return {
    sources: sources.length,
    passages: data.owners.length,
    synonyms: synonyms.length,
    faults: files.leftOut,
    warnings: [...warnings, ...pointingOpeners(found.files), ...unknownSynonymsOf(data)],
  };
}

/**
 * Warnings for paragraphs that cannot stand alone. A sentence within a paragraph, in a list, or in an Absatz of a
 * statute may refer back.
 */
export function pointingOpeners(files: readonly BaseFile[]): Fault[] {
  return files.flatMap((file) => {
    const text = decodeAny(file.bytes) ?? '';
    const bodyStart = parseFrontMatter(text)?.bodyStart;
    if (bodyStart === undefined) return [];
    return paragraphStarts(text.slice(bodyStart)).flatMap(({ text: sentence, start }) => {
      const [opener] = POINTING.flatMap((pattern) => pattern.exec(sentence)?.[0] ?? []);
      if (opener === undefined) return [];
      const line = text.slice(0, bodyStart + start).split('\n').length;
      const message = `"${opener}" refers to the text before it: quoted alone, the sentence is unclear`;
      return [{ file: file.path, line, message }];
    });
  });
}

function paragraphStarts(body: string) {
  const sentences = splitSentences(body);
  return sentences.filter(({ lead, block }, index) => lead === null && block !== sentences[index - 1]?.block);
}

/** Warnings for synonyms, for an index that is not open. */
export const unknownSynonymsOf = (data: IndexData): Fault[] =>
  data.synonyms.length === 0 ? [] : atOnce(findingUnknownSynonyms(atOnce(opening(data))));

/** Warnings for synonyms that find nothing, because no word of their right side occurs in the base. */
export function* findingUnknownSynonyms({ synonyms, analysis, words }: Searched): Steps<Fault[]> {
  const faults: Fault[] = [];
  const isKnown = (term: string): boolean =>
    (['de', 'en'] as const).some((lang) =>
      analysis
        .words(term, lang)
        .some((word) => [word.term, ...word.parts].some((stem) => words.passageFrequency(stem) > 0)),
    );
  for (const { to, line } of synonyms) {
    const unknown = to.filter((term) => !isKnown(term));
    yield TO_READ * to.length;
    if (unknown.length === 0) continue;
    faults.push({
      file: SYNONYMS_FILE,
      line,
      message: `does not occur in the knowledge base: ${unknown.join(' | ')}`,
    });
  }
  return faults;
}
