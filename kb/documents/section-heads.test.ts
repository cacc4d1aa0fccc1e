import { expect, it } from 'vitest';

import { withSectionHeads } from './section-heads.ts';
import type { Unit } from './unit.ts';

const lines = (...texts: readonly string[]): Unit[] =>
  texts.map((text): Unit =>
    text.startsWith('# ')
      ? { kind: 'heading', level: 1, text: text.slice(2) }
      : text.startsWith('## ')
        ? { kind: 'heading', level: 2, text: text.slice(3) }
        : { kind: 'paragraph', text },
  );

const told = (...texts: readonly string[]): string[] =>
  withSectionHeads(lines(...texts)).map((unit) =>
    unit.kind === 'heading' ? `${unit.level} ${unit.text}` : unit.kind === 'paragraph' ? unit.text : '',
  );

it('joins the number of a section with the title in the next line', () => {
  expect(
    told(
      '# Satzung',
      'Teil 1',
      'ALLGEMEINES',
      '§ 1',
      'Name',
      'Der Verein heißt Werkraum.',
      '§ 2',
      '## Freihalten der Wege und',
      'Plätze',
      'Wege sind frei zu halten.',
      '§ 3 Beiträge',
      'Die Beiträge sind jährlich zu zahlen.',
    ),
  ).toEqual([
    '1 Satzung',
    '2 Teil 1 ALLGEMEINES',
    '3 § 1 Name',
    'Der Verein heißt Werkraum.',
    '3 § 2 Freihalten der Wege und Plätze',
    'Wege sind frei zu halten.',
    '3 § 3 Beiträge',
    'Die Beiträge sind jährlich zu zahlen.',
  ]);
});

it('has a number as the heading where text begins below it', () => {
  expect(
    told(
      'ARTICLE I',
      'The club meets every month.',
      'ARTICLE II',
      'Members who leave the club',
      'get nothing back.',
    ),
  ).toEqual([
    '1 ARTICLE I',
    'The club meets every month.',
    '1 ARTICLE II',
    'Members who leave the club',
    'get nothing back.',
  ]);
});

it('leaves what only refers to sections, and a single number', () => {
  const texts = [
    '§ 5 BGB',
    '§ 2 Abs. 1 gilt',
    '§ 4 Die Frist beträgt drei Tage.',
    'Teil der Anlage ist eine Karte',
  ];
  expect(told(...texts)).toEqual(texts);
  expect(told('Anlage 1', 'Karte')).toEqual(['Anlage 1', 'Karte']);
});

it('has a preface beside the first section, and not above it', () => {
  expect(
    told(
      '# Satzung',
      '# Präambel',
      'Wir helfen.',
      '§ 1',
      'Name',
      'Er heißt so.',
      '§ 2',
      'Sitz',
      'Er sitzt hier.',
    ),
  ).toEqual([
    '1 Satzung',
    '2 Präambel',
    'Wir helfen.',
    '2 § 1 Name',
    'Er heißt so.',
    '2 § 2 Sitz',
    'Er sitzt hier.',
  ]);
});

it('has a chapter as a heading that stands alone with its title', () => {
  expect(
    told(
      'Chapter 7 Amendments',
      'They are made at the meeting.',
      '## Section 1 Votes',
      'All vote.',
      'Chapter 8 Elections',
      'In May.',
    ),
  ).toEqual([
    '1 Chapter 7 Amendments',
    'They are made at the meeting.',
    '2 Section 1 Votes',
    'All vote.',
    '1 Chapter 8 Elections',
    'In May.',
  ]);
});

it('has sections below their article, with what stands below them, and parts of a number below the section with its first part', () => {
  expect(
    told('# ARTICLE I NAME', '# Section 1 Name:', 'It is so.', '## Grounds', 'None.', '# ARTICLE II FEES'),
  ).toEqual([
    '1 ARTICLE I NAME',
    '2 Section 1 Name:',
    'It is so.',
    '3 Grounds',
    'None.',
    '1 ARTICLE II FEES',
  ]);
  expect(told('# Part 3 Staff', '# 3.1 Fines', 'Ten dollars.', '# Part 4 Entry', '# 4.1 Classes')).toEqual([
    '1 Part 3 Staff',
    '2 3.1 Fines',
    'Ten dollars.',
    '1 Part 4 Entry',
    '2 4.1 Classes',
  ]);
});
