import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasForeignMarkup } from './answer/foreign-markup.ts';
import { excerptOf } from './answer/extractive/excerpt.ts';
import { formatFault } from './base/faults.ts';
import { parseKnowledgeBase } from './base/load.ts';
import { passagesOf } from './documents/passages.ts';
import { sentencesIn } from './sentences.ts';
import type { Source } from './source.ts';

const HEAD = '---\nid: A-1\ntitle: Titel\nsection: ""\nstand: "2021-03"\nwork: Werk\n---\n\n';

function load(text: string, head = HEAD) {
  const bytes = Buffer.from(`${head}${text}\n`);
  const base = parseKnowledgeBase({
    files: [{ path: 'a.md', bytes, changed: '2024-01' }],
    unread: [],
    others: new Map(),
  });
  return { source: base.sources[0]!, warnings: base.warnings.map(formatFault) };
}

const longestOf = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));

function expectWithinLimits(source: Pick<Source, 'text' | 'units'>): void {
  expect(source.text).not.toMatch(/\S{1001}/u);
  const sentences = sentencesIn(source);
  expect(longestOf(sentences.map(({ text }) => text))).toBeLessThanOrEqual(10_000);
  expect(sentences.filter(({ text, start }) => !source.text.startsWith(text, start))).toEqual([]);
}

/** Pieces that a file may repeat endlessly: letters, digits, punctuation, with or without a space. */
const pieces = array(
  constantFrom('a', 'Urlaub', '12', ',', ';', '(', ')', 'ä', '😀', ' ', "'", '·', 'a@', '=', '/'),
  {
    minLength: 1,
    maxLength: 6,
  },
)
  .map((parts) => parts.join(''))
  .filter((piece) => piece.trim() !== '');

describe('a text without an end', () => {
  it('is cut into words and sentences of a size, of which nothing is lost, and named', () => {
    assert(
      property(pieces, (piece) => {
        const text = `Es gilt ${piece.repeat(Math.ceil(30_000 / piece.length))}`;
        const { source, warnings } = load(text);
        expectWithinLimits(source);
        // Nothing is lost between two pieces.
        const told = sentencesIn(source).map((sentence) => sentence.text.replaceAll(/\s/gu, ''));
        expect(told.join('') === text.replaceAll(/\s/gu, '')).toBe(true);
        expect(warnings.join()).toMatch(/^a\.md:9: has (?:a word of more than|more than) /u);
      }),
      { numRuns: 60 },
    );
  });

  it('is cut in each kind of unit of a document', () => {
    const text = 'a,'.repeat(20_000);
    const units = [
      { kind: 'heading', level: 1, text },
      { kind: 'paragraph', text },
      { kind: 'item', depth: 0, text },
      { kind: 'row', cells: [{ head: text, text }] },
      { kind: 'code', text },
      { kind: 'definition', term: text, text },
      { kind: 'note', label: text, text },
    ] as const;
    const passages = passagesOf({ title: text, units }, 'a.md');
    for (const passage of passages) {
      expectWithinLimits(passage);
      expect(longestOf([passage.title, passage.section])).toBeLessThanOrEqual(700);
    }
  });

  it('is no title either', () => {
    const { source, warnings } = load('Der Text.', HEAD.replace('Titel', 'Titel '.repeat(5_000)));
    expect(source.title).toMatch(/^(?:Titel ){50}…$/u);
    expect(warnings).toEqual(['a.md:3: title is cut: it is too long to be shown']);
  });

  it('leaves texts of an ordinary size as they are', () => {
    const text = `Siehe https://example.org/${'a'.repeat(900)} und ${'das gilt für alle, '.repeat(400)}mehr.`;
    const { source, warnings } = load(text);
    expect(source.text).toBe(text);
    expect(sentencesIn(source)).toHaveLength(1);
    expect(warnings).toEqual([]);
  });
});

describe('what looks at a text that nobody can read', () => {
  const shapes = [
    'a,',
    'Urlaubsentgeltfortzahlungs',
    '1234567890.',
    '(',
    'a-',
    'a.',
    '/',
    '@',
    '[',
    '&',
    '<a',
  ];

  it.each(shapes)('does not take long: %s', (shape) => {
    const text = shape.repeat(60_000 / shape.length);
    const started = process.threadCpuUsage();
    hasForeignMarkup(text.slice(0, 10_000), []);
    const { source } = load(`Die Kantine ${text} öffnet.`);
    const hit = { source, score: 1, passages: [{ source, text: source.text, start: 0 }], referenced: false };
    const excerpt = excerptOf('Wann öffnet die Kantine?', 'de', hit, new Set());
    hasForeignMarkup(excerpt?.sentences.map((sentence) => sentence.text).join(' ') ?? '', []);
    // Without the bounds this took from 4 to 40 s.
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(1_500);
  });

  const MANY = 8_000;
  const many = (write: (n: number) => string, between: string): string =>
    Array.from({ length: MANY }, (_, n) => write(n)).join(between);

  it.each([
    ['sentences', many((n) => `Der Urlaub gilt ${n} Tage.`, ' ')],
    ['sentences that lean on others', many((n) => `Er gilt ${n} Tage.`, ' ')],
    ['paragraphs', many((n) => `Urlaub gilt ${n} Tage.`, '\n\n')],
    ['items of a list', `Der Urlaub gilt:\n\n${many((n) => `- Urlaub ${n} Tage.`, '\n')}`],
    ['rows', `| Urlaub | Tage |\n| --- | --- |\n${many((n) => `| Urlaub ${n} | ${n} Tage |`, '\n')}`],
    ['lists', many((n) => `Urlaub ${n}:\n\n- ein Tag\n- zwei Tage`, '\n\n')],
  ])('does not take long either where it has thousands of %s', (_, text) => {
    const { source } = load(text);
    const passages = [0, 3_000].map((start) => ({
      source,
      text: source.text.slice(start, start + 3_000),
      start,
    }));
    const started = process.threadCpuUsage();
    const hit = { source, score: 1, passages, referenced: false };
    const excerpt = excerptOf('Wie viele Tage gilt der Urlaub?', 'de', hit, new Set());
    const { user, system } = process.threadCpuUsage(started);
    expect(excerpt?.sentences.length).toBeGreaterThan(0);
    // With quadratic time this took half a second, and with a list more than a minute.
    expect((user + system) / 1_000).toBeLessThan(300);
  });
});
