import { linesOf, segmentsOf } from './segments.ts';
import type { Word } from './words.ts';

/** The line numbers in the margin of a page. */
interface Strip {
  readonly words: readonly Word[];
  /** The difference between two numbers. */
  readonly step: number;
}

/** In points: line numbers begin or end at the same x position. */
const SAME_PLACE = 3;
/**
 * Numbers at each line count as line numbers if this many pages have this many of them, because a list may be numbered
 * too.
 */
const [ENOUGH_PAGES, ENOUGH_LINES] = [2, 12];
/** Numbers at every fifth line count as line numbers if the document has this many. */
const ENOUGH_NUMBERS = 4;

/**
 * The line numbers in the left margin, as bylaws, courts and parliaments print them. On a page they grow in equal
 * steps, with equally many lines between two of them, and nothing else is as far left.
 *
 * @param pages the words of each page.
 */
export function lineNumbersOf(pages: readonly (readonly Word[])[]): ReadonlySet<Word> {
  const strips = pages.flatMap((words) => stripOf(words) ?? []);
  const found = new Set<Word>();
  for (const [step, same] of Map.groupBy(strips, (each) => each.step)) {
    const isEnough =
      step === 1
        ? same.filter(({ words }) => words.length >= ENOUGH_LINES).length >= ENOUGH_PAGES
        : same.reduce((sum, { words }) => sum + words.length, 0) >= ENOUGH_NUMBERS;
    if (isEnough) for (const word of same.flatMap(({ words }) => words)) found.add(word);
  }
  return found;
}

function stripOf(words: readonly Word[]): Strip | undefined {
  const lines = linesOf(words).sort((a, b) => a[0]!.baseline - b[0]!.baseline);
  const numbers = lines.flatMap(([word], at) => (/^\d{1,4}$/u.test(word!.text) ? [{ word: word!, at }] : []));
  const [first] = [...numbers].sort((a, b) => a.word.left - b.word.left);
  if (first === undefined) return undefined;
  const strip = numbers.filter(({ word }) =>
    (['left', 'right'] as const).some((edge) => Math.abs(word[edge] - first.word[edge]) < SAME_PLACE),
  );
  const own = new Set(strip.map(({ word }) => word));
  const right = Math.max(...strip.map((each) => each.word.right));
  if (words.some((word) => !own.has(word) && word.left < right + word.size / 2)) return undefined;
  const steps = strip.slice(1).map((each, i) => ({
    step: Number(each.word.text) - Number(strip[i]!.word.text),
    // A heading or an empty line may have no number.
    isSpaced: each.at - strip[i]!.at >= Number(each.word.text) - Number(strip[i]!.word.text),
  }));
  const step = steps[0]?.step ?? 0;
  if (step < 1 || steps.some((each) => each.step !== step || !each.isSpaced)) return undefined;
  // A table may number its rows, so only lines of running text count.
  const texts = lines.map((line) =>
    segmentsOf(
      line.filter((word) => !own.has(word)),
      1,
      [],
    ),
  );
  const isText = texts.filter(({ length }) => length === 1).length >= 0.8 * lines.length;
  if (step === 1 && (!isText || strip.length < 0.8 * lines.length)) return undefined;
  return { words: [...own], step };
}
