import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Source } from '../../kb/source.ts';
import { aboutBase, firstLeftOut, showSource } from './show-source.ts';

const source: Source = {
  id: 'URL-1',
  title: 'Mindesturlaub',
  section: '§ 3 BUrlG',
  stand: '2013-04',
  work: 'BUrlG',
  lang: 'de',
  year: null,
  text: 'Der Urlaub beträgt 24 Werktage.',
  asked: ['wie viel urlaub'],
};
const index = { source: (id: string) => (id === source.id ? source : undefined) };

it('shows a source with the hash of its text, and nothing of how it is asked for', () => {
  expect(showSource(index, 'URL-1')).toEqual({
    id: 'URL-1',
    title: 'Mindesturlaub',
    section: '§ 3 BUrlG',
    stand: '2013-04',
    dated: true,
    work: 'BUrlG',
    url: null,
    path: null,
    page: null,
    year: null,
    text: source.text,
    text_hash: createHash('sha256').update(source.text).digest('hex'),
  });
});

it('shows where the original is, where the base says so', () => {
  const url = 'https://example.org/urlaub';
  expect(showSource({ source: () => ({ ...source, url }) }, 'URL-1').url).toBe(url);
});

it('shows of a passage of a document which that is, and whether it has a date of its own', () => {
  const passage = { ...source, path: 'personal/urlaub.pdf', page: 3, undated: true } as const;
  expect(showSource({ source: () => passage }, 'URL-1')).toMatchObject({
    path: 'personal/urlaub.pdf',
    page: 3,
    dated: false,
  });
});

it('knows no other', () => {
  expect(() => showSource(index, 'URL-2')).toThrow(expect.objectContaining({ code: 'UNKNOWN_SOURCE' }));
});

it('says of a base what that says of itself', () => {
  expect(aboutBase({ about: null }, '/kb/handbook')).toBeNull();
  const about = {
    title: 'T',
    language: 'de',
    law: true,
    asOf: '2022-03',
    topics: [],
    questions: ['Wer?'],
  } as const;
  const told = { title: 'T', as_of: '2022-03', topics: [], questions: ['Wer?'] };
  expect(aboutBase({ about }, '/kb/handbook')).toEqual(told);
  expect(aboutBase({ about: { ...about, title: null } }, '/kb/handbook/')?.title).toBe('handbook');
});

const fault = (file: string, line: number, message: string) => ({ file, line, message });

it('names each left-out document once, by its first fault', () => {
  const many = Array.from({ length: 40 }, (_, i) => fault(`${i}.pdf`, 0, 'is encrypted'));
  const named = firstLeftOut([
    fault('a.md', 2, 'id must be'),
    fault('a.md', 3, 'stand must be'),
    fault('synonyms.txt', 1, 'is no list'),
    ...many,
  ]);
  expect(named).toHaveLength(20);
  expect(named.slice(0, 2)).toEqual([
    { path: 'a.md', reason: 'line 2: id must be' },
    { path: '0.pdf', reason: 'is encrypted' },
  ]);
});
