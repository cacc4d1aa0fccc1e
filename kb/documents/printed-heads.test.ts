import { expect, it } from 'vitest';

import { withPrintedHeads } from './printed-heads.ts';
import type { Unit } from './unit.ts';

/** `## A` is a heading of level 2, `1. A` an item, any other line a paragraph. */
const told = (...texts: readonly string[]): string[] =>
  withPrintedHeads(
    texts.map((line): Unit => {
      const [, marks, text] = /^(#+) (.*)$/u.exec(line) ?? [];
      const [, marker, item] = /^(\d+\.) (.*)$/u.exec(line) ?? [];
      if (marks !== undefined) return { kind: 'heading', level: marks.length, text: text! };
      return item === undefined
        ? { kind: 'paragraph', text: line }
        : { kind: 'item', depth: 0, marker: marker!, text: item };
    }),
  ).map((unit) =>
    unit.kind === 'heading'
      ? `${'#'.repeat(unit.level)} ${unit.text}`
      : unit.kind === 'item'
        ? `${unit.marker} ${unit.text}`
        : unit.kind === 'row'
          ? ''
          : unit.text,
  );

it('has an item of a list as text that is set like a heading, and a heading with a bullet above text', () => {
  const lines = ['# • Vollzeit', '1. Befristet', '# • Mut', 'Er hält stand.'];
  expect(told('# Vertrag', ...lines)).toEqual(['# Vertrag', '• Vollzeit', ...lines.slice(1)]);
});

it('has lines of a form, a day of issue and names that a text leads to as text', () => {
  const lines = [
    '# Minutes of Meeting',
    '# Date: 27/2/18',
    '# Chairperson: Anna',
    '# Wohnort:',
    '# Approved April 26, 2019',
    '# Ausgabe Mai 2018',
    '# Prepared by: Ada Lovelace',
    '# Brian C. O’Meara',
    '# 24 February, 2022',
    '# Your name: ______',
    '# Student IDs: 160003594',
    '# Room: Hall',
    '# Rules',
    '# Antragsteller:',
    'Verein: ______',
    'Anwesend:',
    '# Anna Berg',
    '# Jonas Weber',
    'Alle sind da.',
    '# Absent:',
    '# Ben Kurz',
    '# Eva Lang',
    'Beide sind krank.',
  ];
  const [title, ...others] = lines;
  expect(told(...lines)).toEqual([
    title,
    ...others.map((line) => (line === '# Rules' || line === '# Absent:' ? line : line.replace(/^# /u, ''))),
  ]);
});

it('keeps headings with a colon or a day that have a text of their own', () => {
  const lines = [
    '# Events',
    '## Day of Data: October 10, 2026',
    'In Adorf.',
    '# Kursplan',
    '# Methoden der Stammbäume im Frühling 2022',
    'Der Kurs beginnt.',
    '# TOP 1: Wahlen',
    'Anna ist gewählt.',
    '# 22 April 2025 / 5:00 PM',
    'Alle sind da.',
  ];
  expect(told(...lines)).toEqual(lines);
  const sections = ['# Article I: Club', '## Section I: Name', 'It is so.', '## Section II: Aim', 'Fun.'];
  expect(told(...sections)).toEqual(sections);
});

it('has numbered titles as headings that are set like text: parts of a chapter, and the points of minutes', () => {
  expect(
    told(
      '# 2 Organisation',
      '2.1 Länder',
      'Jedes Land.',
      '2.2 Bund',
      'Der Bund.',
      '3.1 Anders',
      '2.4 Zeiten',
      'Je.',
    ),
  ).toEqual([
    '# 2 Organisation',
    '## 2.1 Länder',
    'Jedes Land.',
    '## 2.2 Bund',
    'Der Bund.',
    '3.1 Anders',
    '2.4 Zeiten',
    'Je.',
  ]);
  const points = [
    '1. Begrüßung',
    'Anna begrüßt alle.',
    '2. Wahlen',
    'Jonas ist gewählt.',
    '3. Ende',
    'Um zehn.',
  ];
  expect(told('# Protokoll', ...points)).toEqual([
    '# Protokoll',
    ...points.map((line) => (/^\d/u.test(line) ? `## ${line}` : line)),
  ]);
  expect(told('# Protokoll', '# Anwesend:', 'Anna', ...points).slice(1, 4)).toEqual([
    '## Anwesend:',
    'Anna',
    '## 1. Begrüßung',
  ]);
  const answer = 'Das Vorhaben wurde in der Zeit und mit dem Geld fertig, das dafür gedacht war.';
  const questions = [
    '1. Ist es fertig?',
    answer,
    '2. Was ging gut.',
    answer,
    '3. Nennen Sie, was nicht gut ging.',
    answer,
  ];
  expect(told('# Bericht', ...questions).filter((line) => line.startsWith('## '))).toHaveLength(3);
  const steps = ['1. Deckel öffnen.', '2. Filter ziehen.', 'Er ist heiß.', '3. Deckel schließen.', 'Fertig.'];
  expect(told('# Filter', ...steps)).toEqual(['# Filter', ...steps]);
});

it('has the titles of a list as headings of which some are, with their text below them', () => {
  expect(
    told(
      '# ARTICLE I: CLUB',
      '1. Name. The name is Roots.',
      '2. Fees.',
      '# 3. Rights.',
      'All vote.',
      '4. Low Income. In their actions they help.',
      '# ARTICLE II: BOARD',
      '1. Twelve members.',
    ),
  ).toEqual([
    '# ARTICLE I: CLUB',
    '## 1. Name',
    'The name is Roots.',
    '## 2. Fees.',
    '## 3. Rights.',
    'All vote.',
    '## 4. Low Income',
    'In their actions they help.',
    '# ARTICLE II: BOARD',
    '1. Twelve members.',
  ]);
});

it('has chapters numbered from 1 on below a title of their level, up to the next one without a number', () => {
  expect(
    told(
      '# Anforderungen',
      'Hier.',
      '# Was zu bauen war',
      '# 1. Zugang',
      'Text.',
      '## Rechte',
      '# 2. Ablauf',
      '# Ausblick',
    ),
  ).toEqual([
    '# Anforderungen',
    'Hier.',
    '# Was zu bauen war',
    '## 1. Zugang',
    'Text.',
    '### Rechte',
    '## 2. Ablauf',
    '# Ausblick',
  ]);
  for (const beside of [
    ['# Vorwort', 'Text.', '# 1. Zugang', '# 2. Ablauf'],
    ['# Richtlinie', '# Muster GmbH', '# 1. Zugang', '# 2. Ablauf'],
  ])
    expect(told(...beside)).toEqual(beside);
});

it('has chapters as headings that are numbered 1.0, or end with a colon', () => {
  for (const lines of [
    [
      '1.0 Lage',
      'Sie ist gut.',
      '2.0 Ziel',
      'Es ist:',
      '3. Neu',
      '3.0 Ort',
      'Nah.',
      '4.0 Weg',
      'Er ist weit.',
    ],
    ['1. Wie es begann:', 'Gut.', '2. Wie es weiterging:', 'Besser.', '3. Wie es endet:', 'Am besten.'],
  ])
    expect(told('# Bericht', ...lines)).toEqual([
      '# Bericht',
      ...lines.map((line) => (/^\d\S* [A-Z]/u.test(line) && line !== '3. Neu' ? `## ${line}` : line)),
    ]);
});
