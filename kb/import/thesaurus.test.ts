import { expect, it } from 'vitest';
import { buildIndex } from '../index/build.ts';
import { LexicalIndex } from '../index/lexical-index.ts';
import type { Source } from '../source.ts';
import { parseThesaurus, proposeSynonyms } from './thesaurus.ts';

const GERMAN = `UTF-8
kaution|2
-|Mietsicherheit|Sicherheit (ugs.)|als Pfand gegeben
(noun)|Bürgschaft
gut haben|1
-|Guthaben
miete|1
-|Mietzins
`;

const source = (id: string, text: string): Source => ({
  id,
  title: id,
  section: '',
  stand: '2022-03',
  work: 'Haus',
  lang: 'de',
  year: null,
  text,
});
const BASE = [
  source('A', 'Die Mietsicherheit wird verzinst.'),
  source('B', 'Die Miete ist am Ersten fällig.'),
];

it('a thesaurus is read by its entries of one word, and their meanings without remarks', () => {
  expect([...parseThesaurus(GERMAN)]).toEqual([
    ['kaution', [['Mietsicherheit', 'Sicherheit'], ['Bürgschaft']]],
    ['miete', [['Mietzins']]],
  ]);
});

it('words are proposed that the base has, for those that it does not have', () => {
  const thesauri = { de: parseThesaurus(GERMAN), en: new Map() };
  const propose = (index: LexicalIndex, questions: string[]) => proposeSynonyms(index, questions, thesauri);
  const index = new LexicalIndex(buildIndex(BASE, []));
  const questions = ['Wird die Kaution verzinst?', 'wann ist die miete fällig', 'Kaution zurück?'];
  expect(propose(index, questions)).toEqual([{ from: 'kaution', to: ['Mietsicherheit'] }]);

  const known = new LexicalIndex(buildIndex(BASE, [{ from: ['Kaution'], to: ['Mietsicherheit'], line: 1 }]));
  expect(propose(known, questions)).toEqual([]);
});
