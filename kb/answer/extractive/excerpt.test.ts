import { describe, expect, it } from 'vitest';
import type { Source, UnitSpan } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import { excerptOf, isTellable } from './excerpt.ts';

const FILLER =
  'Hierzu trifft die Vorschrift noch weitere Regeln, die mit der Sache wenig zu tun haben und nur der Länge wegen dastehen. '.repeat(
    4,
  );

function hit(text: string, more: Partial<Hit> = {}): Hit {
  const source: Source = {
    id: 'S',
    title: 'Vorschrift',
    section: '§ 1',
    stand: '2022-03',
    work: 'Test',
    lang: 'de',
    year: null,
    text,
  };
  return { source, score: 1, passages: [{ source, text, start: 0 }], referenced: false, ...more };
}

const told = (question: string, text: string, turnedDown: string[] = []) =>
  excerptOf(question, 'de', hit(text), new Set(turnedDown));
const texts = (question: string, text: string): string[] =>
  told(question, text)?.sentences.map((sentence) => sentence.text) ?? [];

const listOf = (count: number): string =>
  [
    'Anzugeben sind:',
    ...Array.from({ length: count }, (_, i) => `${i + 1}. die Angabe Nummer ${i + 1},`),
  ].join('\n');

describe('what is told of a source', () => {
  it('is all of a short text in its own order, the sentence that decides marked', () => {
    const text = 'Der Urlaub beträgt 24 Werktage. Ausgenommen sind Jugendliche. Der Lohn läuft weiter.';
    const { sentences, cut } = told('Läuft der Lohn weiter?', text)!;
    expect(sentences.map((sentence) => sentence.text)).toEqual(text.split(/(?<=\.) /u));
    expect(sentences.map(({ decisive }) => decisive)).toEqual([false, false, true]);
    expect(cut).toBe(false);
  });

  it('is the paragraph that answers of a longer one', () => {
    const text = `${FILLER}\n\nDer Mindestlohn beträgt 12 Euro. Er gilt für alle.\n\n${FILLER}`;
    expect(texts('Wie hoch ist der Mindestlohn?', text)).toEqual([
      'Der Mindestlohn beträgt 12 Euro.',
      'Er gilt für alle.',
    ]);
    expect(told('Wie hoch ist der Mindestlohn?', text)!.cut).toBe(false);
  });

  it('is of a long paragraph the sentence that answers and those around it, as many as a short text has', () => {
    const before = Array.from({ length: 10 }, (_, i) => `Vor dem Bau lagen noch ${i + 2} andere Jahre.`);
    const after = Array.from({ length: 20 }, (_, i) => `Nach dem Bau kamen dann noch ${i + 2} andere Jahre.`);
    const all = [...before, 'Die Brücke führt über den Fluss.', 'Sie wurde 1936 erbaut.', ...after];
    const sentences = texts('Wann wurde die Brücke erbaut?', all.join(' '));
    const from = all.indexOf(sentences[0]!);
    expect(sentences).toEqual(all.slice(from, from + sentences.length));
    expect(sentences).toContain('Sie wurde 1936 erbaut.');
    expect(told('Wann wurde die Brücke erbaut?', all.join(' '))!.cut).toBe(true);
    expect(sentences.join(' ').split(' ').length).toBeGreaterThan(110);
    expect(sentences.join(' ').split(' ').length).toBeLessThanOrEqual(130);
  });

  it('has what its beginning points back at', () => {
    const text = `Die Brücke führt über den Fluss.\n\nSie wurde 1936 erbaut.\n\n${FILLER}${FILLER}`;
    expect(texts('Was wurde 1936 erbaut?', text)).toEqual([
      'Die Brücke führt über den Fluss.',
      'Sie wurde 1936 erbaut.',
    ]);
  });

  it('has the rule before its exception', () => {
    const text = `(1) Nachtarbeit ist verboten. ${FILLER}\n\n(2) Dies gilt nicht für Krankenhäuser und ihre Apotheken. ${FILLER}`;
    expect(told('Gilt das für Krankenhäuser und Apotheken?', text)!.sentences[0]!.text).toBe(
      '(1) Nachtarbeit ist verboten.',
    );
  });

  it('tells a list with its lead-in, each item as one, and says where a long one is cut', () => {
    const short = told('Was ist anzugeben?', listOf(12))!;
    expect(short.sentences).toHaveLength(13);
    expect(short.sentences.map(({ item }) => item)).toEqual([false, ...Array<boolean>(12).fill(true)]);
    expect(short.cut).toBe(false);
    const long = told('Was ist anzugeben?', listOf(13))!;
    expect(long.sentences).toHaveLength(13);
    expect(long.cut).toBe(true);
  });

  it('leaves out what was turned down, and is nothing where nothing is left', () => {
    const text = 'Der Urlaub beträgt 24 Werktage. Der Lohn läuft weiter.';
    const [first, second] = text.split(/(?<=\.) /u) as [string, string];
    expect(told('Urlaub?', text, [first])!.sentences.map((sentence) => sentence.text)).toEqual([second]);
    expect(told('Urlaub?', text, [first, second])).toBeNull();
  });
});

/** A passage of a document: paragraphs, and lines with `- ` as items of the list that the paragraph before leads into. */
function ofDocument(...blocks: readonly string[]): Hit {
  const text = blocks.join('\n');
  const units: UnitSpan[] = [];
  let at = 0;
  let lead: number | null = null;
  for (const [i, block] of blocks.entries()) {
    const skip = block.startsWith('- ') ? 2 : 0;
    units.push({
      kind: skip > 0 ? 'item' : 'paragraph',
      start: at + skip,
      end: at + block.length,
      lead: skip > 0 ? lead : null,
    });
    if (skip === 0) lead = i;
    at += block.length + 1;
  }
  const { source, ...rest } = hit(text);
  const whole = { ...source, units };
  return { ...rest, source: whole, passages: [{ source: whole, text, start: 0 }] };
}

const ofPassage = (question: string, passage: Hit, words: number | null = null) =>
  excerptOf(question, 'de', passage, new Set(), words)!.sentences;

describe('what is told of a passage of a document', () => {
  const RULES = ofDocument(
    'Haustiere sind nicht erlaubt. Die Miete ist am Ersten fällig.',
    'Zum Einzug sind mitzubringen:',
    '- Bettwäsche,',
    '- ein Lichtbild.',
  );

  it('is all of it in its own order, the sentence that decides marked', () => {
    const told = ofPassage('Wann ist die Miete fällig?', RULES);
    expect(told.map(({ text, decisive }) => [text, decisive])).toEqual([
      ['Haustiere sind nicht erlaubt.', false],
      ['Die Miete ist am Ersten fällig.', true],
      ['Zum Einzug sind mitzubringen:', false],
      ['Bettwäsche,', false],
      ['ein Lichtbild.', false],
    ]);
  });

  it('is decided by the sentence that contradicts the question', () => {
    const denial = 'Der Hof ist zu.';
    const passage = ofDocument(`Die Heimleitung hat den Schlüssel. ${denial} Der Garten ist offen.`);
    const told = excerptOf('Ist der Garten offen?', 'de', passage, new Set(), null, denial)!.sentences;
    expect(told.find(({ decisive }) => decisive)!.text).toBe(denial);
  });

  it.each<[string, boolean, number | null, ...string[]]>([
    ['told whole', false, null, 'Die Miete ist am Ersten fällig. Sie wird abgebucht.', 'Der Hof ist offen.'],
    ['a part of a paragraph', true, 12, `Die Miete ist am Ersten fällig. ${FILLER}`],
    ['a whole list', false, 30, 'Fällig sind:', '- die Miete am Ersten,', '- der Strom am Zehnten.'],
    [
      'a part of a list',
      true,
      8,
      'Fällig sind:',
      '- die Miete am Ersten,',
      '- der Strom am Zehnten des Monats.',
    ],
  ])('is cut or not: %s: %s', (_, cut, most, ...blocks) => {
    const told = excerptOf('Wann ist die Miete fällig?', 'de', ofDocument(...blocks), new Set(), most)!;
    expect(told.cut).toBe(cut);
  });

  it('is told where all it has announces a picture', () => {
    const passage = ofDocument('Ist die Adresse schon gespeichert, erscheint diese Meldung:');
    expect(isTellable(passage.source)).toBe(true);
    expect(
      excerptOf('Merkt das Programm doppelte Adressen?', 'de', passage, new Set())?.sentences,
    ).toHaveLength(1);
  });

  it('never decides by what announces something, and tells it with what it announces', () => {
    const passage = ofDocument(
      'Der Einkauf liegt bei der Leitung.',
      'Nicht zu den Aufgaben der Leitung gehören folgende Bereiche:',
      'Personal und Pflege.',
    );
    const told = ofPassage('Welche Aufgaben gehören zur Leitung?', passage, 12);
    expect(told.find(({ decisive }) => decisive)!.text).not.toMatch(/:$/u);
    const texts = told.map(({ text }) => text);
    expect(texts.some((text, i) => text.endsWith(':') && texts[i + 1] !== 'Personal und Pflege.')).toBe(
      false,
    );
  });

  it('is all of a list and of a table, however many items and rows the question could mean', () => {
    const rows = ['1. Hund; 60 Euro', '2. Hund; 90 Euro', '3. Hund; 120 Euro', 'gefährlicher Hund; 300 Euro'];
    const items = Array.from({ length: 15 }, (_, i) => `- Hund der Rasse ${String.fromCharCode(65 + i)}`);
    const passage = ofDocument('Die Steuer beträgt im Jahr:', ...rows, 'Gefährlich ist ein:', ...items);
    const units = passage.source.units!.map((unit, i) =>
      i >= 1 && i <= 4 ? { ...unit, kind: 'row' as const } : unit,
    );
    const ofTable: Hit = { ...passage, source: { ...passage.source, units } };
    const excerpt = excerptOf('Was kostet der Hund an Steuer?', 'de', ofTable, new Set())!;
    expect(excerpt.sentences).toHaveLength(units.length);
    expect(excerpt.cut).toBe(false);
  });

  it('is few words of a passage that is hardly meant, and it is said', () => {
    const garden = 'Der Garten ist im Sommer offen und im Winter nicht zu betreten. '.repeat(8).trim();
    const long = ofDocument(garden, 'Die Miete ist am Ersten fällig.', garden);
    const told = ofPassage('Wann ist die Miete fällig?', long, 60);
    expect(told).toContainEqual(
      expect.objectContaining({ text: 'Die Miete ist am Ersten fällig.', decisive: true }),
    );
    expect(told.flatMap(({ text }) => text.split(' ')).length).toBeLessThanOrEqual(60);
    expect(excerptOf('Wann ist die Miete fällig?', 'de', long, new Set(), 60)!.cut).toBe(true);
    expect(ofPassage('Wann ist die Miete fällig?', long)).toHaveLength(17);
  });
});
