import { passagesOf } from '../../kb/documents/passages.ts';
import type { Document, Unit } from '../../kb/documents/unit.ts';
import type { Extracted } from './extractors.ts';

/** What became of the sentences that another program reads in a document. */
export interface Told {
  /** The number of sentences that were looked for. */
  readonly sentences: number;
  /** As many have signs of a site's generator in them, which only that one reads. */
  readonly marked: number;
  /** Those that stand in one passage, as often as in the document. A heading stands above one. */
  readonly once: number;
  /** The sentences that a border between two passages cuts. */
  readonly cut: readonly string[];
  /** The sentences whose words are there, but in another order or with something between them. */
  readonly rearranged: readonly string[];
  /** The sentences that our text has more often than the document. */
  readonly doubled: readonly string[];
  /** The sentences that are lost, or that a rule leaves out. */
  readonly missing: readonly string[];
}

/** What is shorter stands in many places. */
const [FEWEST_WORDS, FEWEST_LETTERS] = [4, 20];

/** Letters and figures alone: programs differ in marks, bullets, hyphens and white space. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

const wordsOf = (text: string): string[] =>
  text
    .split(/\s+/u)
    .map(bare)
    .filter((word) => word !== '');

/** Tags of Liquid, links of wikis, fences of remarks, attributes of headings, roles and substitutions of Sphinx. */
const MARKS =
  /\{[%{#]|\[\[|:::|\|\S+\||<[^\s<>]+(?: [^\s<>]+)*>$|<[^<>]+>[ .,;:)]|\b(?:sec|fig|tab)_\w|\.rst\b/u;

/** Compares a document as we read it with the paragraphs that another program reads in the same file. */
export function toldOnce(document: Document, path: string, { paragraphs, areBlocks }: Extracted): Told {
  const { text, borders } = streamOf(document, path);
  const theirs = bare(paragraphs.join(' '));
  const all = [
    ...new Set(paragraphs.flatMap((each) => sentencesOf(areBlocks ? each : withoutNumbers(each)))),
  ];
  const sentences = all.filter((sentence) => !MARKS.test(sentence));
  const cut: string[] = [];
  const rearranged: string[] = [];
  const doubled: string[] = [];
  const missing: string[] = [];
  for (const sentence of sentences) {
    const places = placesOf(bare(sentence), text);
    const expected = placesOf(bare(sentence), theirs).length;
    if (places.length === 0)
      (isCovered(wordsOf(sentence), text, areBlocks) ? rearranged : missing).push(sentence);
    else if (places.some((at) => isCutAt(at, at + bare(sentence).length, borders, areBlocks)))
      cut.push(sentence);
    else if (places.length > expected) doubled.push(sentence);
    else if (places.length < expected) missing.push(sentence);
  }
  const faults = cut.length + rearranged.length + doubled.length + missing.length;
  return {
    sentences: sentences.length,
    marked: all.length - sentences.length,
    once: sentences.length - faults,
    cut,
    rearranged,
    doubled,
    missing,
  };
}

const sentencesOf = (paragraph: string): string[] =>
  paragraph
    .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
    .filter((text) => wordsOf(text).length >= FEWEST_WORDS && bare(text).length >= FEWEST_LETTERS);

/** The number of the next paragraph at the end of the one before it, where a program cannot tell them apart. */
const withoutNumbers = (paragraph: string): string =>
  paragraph.replace(/(?<=[.;:!?)\p{L}])(?:\s+(?:\(?[a-z]{1,4}[.)]|\(?\d{1,3}[.)]|(?:\d+\.)+\d*))+$/u, '');

interface Border {
  /** Where a passage begins. */
  readonly at: number;
  /** Whether it begins in the middle of a sentence. */
  readonly isWithin: boolean;
}

/** The texts of all passages of a document as one, reduced by `bare`, and where in it each passage begins. */
function streamOf(document: Document, path: string): { text: string; borders: Border[] } {
  const spans = passagesOf(document, path).flatMap((passage) =>
    passage.units
      .filter(({ kind }) => kind !== 'heading')
      .map(({ kind, start, end }, i) => ({
        text: bare(passage.text.slice(start, end)),
        isFirst: i === 0,
        isWithin: kind === 'paragraph' && /^\p{Ll}/u.test(passage.text.slice(start, end)),
      })),
  );
  let text = '';
  const borders: Border[] = [];
  let at = 0;
  for (const unit of document.units) {
    // A heading that is a statement comes as a paragraph.
    if (unit.kind === 'heading' && spans[at]?.text !== bare(unit.text)) {
      text += bare(unit.text);
      continue;
    }
    // A long unit may have been parted.
    for (let left = bare(shownOf(unit)).length; left > 0 && at < spans.length; at += 1) {
      if (spans[at]!.isFirst) borders.push({ at: text.length, isWithin: spans[at]!.isWithin });
      text += spans[at]!.text;
      left -= spans[at]!.text.length;
    }
  }
  return { text, borders };
}

function shownOf(unit: Unit): string {
  switch (unit.kind) {
    case 'row':
      return unit.cells.map(({ head, text }) => head + text).join('');
    case 'definition':
      return unit.term + unit.text;
    case 'note':
      return (/\p{L}/u.test(unit.label) ? unit.label : '') + unit.text;
    case 'item':
      return (unit.marker ?? '') + unit.text;
    case 'heading':
    case 'paragraph':
    case 'code':
      return unit.text;
  }
}

function placesOf(sentence: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(sentence); at !== -1; at = text.indexOf(sentence, at + sentence.length))
    places.push(at);
  return places;
}

/** A program that joins a heading with the text below it says little about where a sentence ends. */
const isCutAt = (start: number, end: number, borders: readonly Border[], areBlocks: boolean): boolean =>
  borders.some(({ at, isWithin }) => at > start && at < end && (areBlocks || isWithin));

/**
 * Whether all words stand in the text, two at least beside each other. Of a program that goes from one column or cell into the other, half of them
 * need to.
 */
function isCovered(words: readonly string[], text: string, areBlocks: boolean): boolean {
  let alone = 0;
  let at = 0;
  while (at < words.length) {
    let end = words.length;
    while (end > at + 1 && !text.includes(words.slice(at, end).join(''))) end -= 1;
    if (!text.includes(words[at]!)) return false;
    if (end - at < 2 && end < words.length) alone += 1;
    at = end;
  }
  return alone <= (areBlocks ? 0 : words.length / 2);
}
