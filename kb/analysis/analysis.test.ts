import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Analysis, detectLanguage, languageToAnswerIn, fold, foldToken } from './analysis.ts';
import { tokenize } from './tokens.ts';
import { IndexedVocabulary, splitCompound } from './compounds.ts';
import { gramsOf } from './grams.ts';

const analysis = new Analysis();
const terms = (text: string, lang: 'de' | 'en' = 'de'): string[] =>
  analysis.words(text, lang).map(({ term }) => term);

describe('folding', () => {
  test('umlauts, their spelling with e, and case are one', () => {
    for (const word of ['Kündigungsschutz', 'Kuendigungsschutz', 'KÜNDIGUNGSSCHUTZ', 'kündigungsschutz']) {
      expect(fold(word, 'de')).toBe('kundigungsschutz');
    }
    expect(fold('Straße', 'de')).toBe(fold('STRASSE', 'de'));
  });

  test('ue after a, e and q is no umlaut', () => {
    expect(['neue', 'Bauer', 'quer', 'Steuer'].map((word) => fold(word, 'de'))).toEqual([
      'neue',
      'bauer',
      'quer',
      'steuer',
    ]);
  });

  test('typing ä ö ü as ae oe ue never matters', () => {
    const word = fc.stringMatching(/^[a-zäöüß]*$/u);
    const spelled: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };
    fc.assert(
      fc.property(word, (text) => {
        expect(
          fold(
            text.replace(/[äöüß]/gu, (letter) => spelled[letter]!),
            'de',
          ),
        ).toBe(fold(text, 'de'));
      }),
    );
  });

  test('English keeps its vowels and loses accents', () => {
    expect(['blue', 'does', 'Café'].map((word) => fold(word, 'en'))).toEqual(['blue', 'does', 'cafe']);
  });
});

describe('numbers', () => {
  test('are one token, whatever groups their thousands', () => {
    for (const number of ['39 480', '39.480', '39480']) {
      expect(tokenize(`jährlich ${number} Euro`).map(({ text }) => foldToken(text, 'de'))).toEqual([
        'jahrlich',
        '39480',
        'euro',
      ]);
    }
    expect(terms('3,559 people', 'en')[0]).toBe('3559');
  });

  test('keep decimals and dates', () => {
    expect(terms('9,82 Euro am 1.5.2020')).toEqual(['9,82', 'euro', '1.5.2020']);
  });
});

describe('words', () => {
  test('lose inflection and stop words', () => {
    expect(terms('die Verträge des Arbeitnehmers')).toEqual(terms('der Vertrag der Arbeitnehmer'));
    expect(terms("What is the employer's obligation?", 'en')).toEqual(terms('employers obligations', 'en'));
  });

  test('point to where they stand', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const word of analysis.words(text, 'de'))
          expect(text.slice(word.start, word.end)).toBe(word.text);
      }),
    );
  });

  test('tell the language', () => {
    expect(detectLanguage('Wie hoch ist der Lohn?')).toBe('de');
    expect(detectLanguage('How high is the wage?')).toBe('en');
  });

  test.each([
    ['parental leave', ['en'], 'en'],
    ['parental leave', ['en', 'de'], 'en'],
    ['parental leave', ['de', 'en'], 'de'],
    ['Wie lange ist der Urlaub?', ['en'], 'en'],
    ['Wie lange ist der Urlaub?', ['en', 'de'], 'de'],
    ['How long is the leave?', ['de', 'en'], 'en'],
    ['How long is the leave?', ['de'], 'de'],
    ['parental leave', [], 'de'],
  ] as const)('%s, of a base in %j, is answered in %s', (question, languages, language) => {
    expect(languageToAnswerIn(question, languages)).toBe(language);
  });
});

describe('compounds', () => {
  const vocabulary = new Set([
    'entgelt',
    'fortzahlung',
    'krankheit',
    'fall',
    'urlaub',
    'anspruch',
    'lohn',
    'steuer',
    'karte',
  ]);

  test.each([
    ['entgeltfortzahlung', ['entgelt', 'fortzahlung']],
    ['krankheitsfall', ['krankheit', 'fall']],
    ['urlaubsanspruch', ['urlaub', 'anspruch']],
    ['lohnsteuerkarten', ['lohn', 'steuer', 'karte']],
    ['urlaub', []],
    ['urlaubsfoo', []],
  ])('%s', (word, parts) => {
    expect(splitCompound(word, vocabulary)).toEqual(parts);
  });

  test('are split alike by a vocabulary that knows the lengths of its words', () => {
    const piece = fc.constantFrom(
      'urlaub',
      'urlaubs',
      'tage',
      'tag',
      'lohn',
      'steuer',
      'e',
      's',
      'rest',
      'ltage',
      'x',
    );
    const long = 'donaudampfschifffahrtsgesellschaftskapitaen';
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('urlaub', 'tage', 'lohn', 'steuer', 'laubs', 'rest', long)),
        fc.array(fc.oneof(piece, fc.constant(long)), { maxLength: 8 }),
        (words, pieces) => {
          const known = new Set(words);
          const word = pieces.join('');
          expect(splitCompound(word, new IndexedVocabulary(known))).toEqual(splitCompound(word, known));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('of any length are split in time that grows with their length alone', () => {
    let looked = 0;
    class Counting extends Set<string> {
      override has(word: string): boolean {
        looked += 1;
        return super.has(word);
      }
    }
    const look = (times: number) => {
      looked = 0;
      expect(splitCompound('urlaubs'.repeat(times), new Counting(['urlaub']))).toHaveLength(times);
      return looked;
    };
    expect(look(280) / look(140)).toBeLessThan(2.5);
  });

  test('of any length are split in memory that grows with their length alone', () => {
    let most = 0;
    let looked = 0;
    class Watching extends Set<string> {
      override has(word: string): boolean {
        looked += 1;
        if (looked % 50_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
        return super.has(word);
      }
    }
    const before = process.memoryUsage().heapUsed;
    expect(splitCompound('urlaubs'.repeat(6_000), new Watching(['urlaub']))).toHaveLength(6_000);
    expect(most - before).toBeLessThan(150e6);
  });

  test('are split by the base, into stems', () => {
    const [word] = new Analysis(vocabulary).words('Entgeltfortzahlungen', 'de');
    expect(word).toMatchObject({ term: 'entgeltfortzahl', parts: ['entgelt', 'fortzahl'] });
  });
});

test('4-grams mark the borders of a word', () => {
  expect(gramsOf('urlaub')).toEqual(['_url', 'urla', 'rlau', 'laub', 'aub_']);
  expect(gramsOf('ab')).toEqual(['_ab_']);
});
