import { expect, test } from 'vitest';
import { isSource } from './front-matter.ts';

const file = (...lines: string[]): string => ['---', ...lines, '---', '', 'Text.', ''].join('\n');

test.each([
  ['an Obsidian note', file('id: 20240301', 'title: Urlaub', 'section: HR')],
  ['a Docusaurus page', file('id: urlaub', 'title: Urlaub', 'sidebar_position: 2', 'section: Personal')],
  ['a Hugo page', file('title: Urlaub', 'section: personal', 'stand: 2024-03-01')],
  ['a note with a day', file('id: urlaub', 'title: Urlaub', 'section: 3', 'stand: 2024-03-01')],
  ['a note with a month in words', file('id: a', 'title: Urlaub', 'section: 3', 'stand: "März 2024"')],
  ['a note with an id and a section', file('id: a', 'stand: 2024-03', 'section: 3')],
])('%s is a document of another program', (_, text) => {
  expect(isSource(text)).toBe(false);
});

test.each([
  ['whole', file('id: a', 'title: A', 'section: B', 'stand: 2024-03', 'work: C')],
  ['with a wrong stand', file('id: a', 'title: A', 'section: B', 'stand: 2024-03-01', 'work: C')],
  ['without its work', file('id: a', 'title: A', 'section: B', 'stand: "2024-03"')],
  ['without its stand', file('id: a', 'title: A', 'section: B', 'work: C')],
  ['known by its questions', file('id: a', 'title: A', 'stand: 2024-03', 'asked:', '  - Wie viel?')],
])('a source of ours %s is one', (_, text) => {
  expect(isSource(text)).toBe(true);
});
