import { describe, expect, it } from 'vitest';
import type { Source } from '../source.ts';
import { areTwins, hasSentence } from './twins.ts';

const passage = (path: string, text: string): Source => ({
  id: path,
  title: 'Kasse',
  section: 'Ordnung',
  stand: '2024-01',
  work: 'Ordnung',
  lang: 'de',
  year: null,
  path,
  text,
  units: [{ kind: 'paragraph', start: 0, end: text.length, lead: null }],
});

const RULES = [
  'Wer etwas für den Verein kauft, bekommt das Geld gegen einen Beleg zurück.',
  'Der Beleg liegt der Kasse spätestens nach 14 Tagen vor.',
  'Die Kasse zahlt am Ende des Monats auf das Konto, das auf dem Beleg steht.',
];
const page = passage('kasse.md', RULES.map((rule, i) => `${i + 1}. ${rule}`).join('\n'));
const more = 'Im Januar prüfen zwei Mitglieder, die nicht im Vorstand sind, alle Belege des Jahres.';
const printed = passage(
  'Kasse.pdf',
  [...RULES, more].map((rule, i) => `6.${i}. ${rule.replaceAll('Kasse', 'KASSE')}`).join(' '),
);

describe('passages of different documents', () => {
  it('tell the same where one has the text of the other, numbered otherwise and with more behind it', () => {
    expect(areTwins(page, printed)).toBe(true);
    expect(areTwins(printed, page)).toBe(true);
  });

  it.each<[string, Source]>([
    ['has another figure', passage('alt.md', page.text.replace('14', '21'))],
    ['is of the same document', { ...page, id: 'kasse_2' }],
    ['has a part of it only', passage('x.md', `${RULES[0]} ${more} ${more.replaceAll('e', 'a')}`)],
    ['is a file with front matter', { ...page, path: 'x.md', units: undefined } as unknown as Source],
  ])('are two texts where one %s', (_, other) => {
    expect(areTwins(page, other)).toBe(false);
  });

  it('know a sentence again without its mark', () => {
    expect(hasSentence(printed, `2. ${RULES[1]!}`)).toBe(true);
    expect(hasSentence(printed, RULES[1]!.replace('14', '21'))).toBe(false);
    expect(hasSentence(printed, '1.')).toBe(false);
  });
});
