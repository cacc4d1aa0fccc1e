import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseAbout } from './about.ts';

function parse(text: string) {
  const faults: string[] = [];
  const about = parseAbout(text, (line, message) => faults.push(`${line}: ${message}`));
  return { about, faults };
}

describe('what a base says of itself', () => {
  it('is read with what it leaves out', () => {
    expect(parse('title: Handbuch\nas_of: 2022-03\nquestions:\n  - Wer?\n').about).toEqual({
      title: 'Handbuch',
      language: 'de',
      law: true,
      asOf: '2022-03',
      topics: [],
      questions: ['Wer?'],
    });
    expect(parse('title: Handbuch').about?.asOf).toBeNull();
    expect(parse('language: en').about?.title).toBeNull();
  });

  it('is read as the page on folders shows it', async () => {
    const page = await readFile('docs/a-folder-as-it-is.md', 'utf8');
    const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/gu)].map(([, text = '']) => parse(text));
    expect(examples).toHaveLength(1);
    for (const { about, faults } of examples) {
      expect(faults).toEqual([]);
      expect(about?.url).toMatch(/^https:/u);
    }
  });

  it.each([
    ['', null],
    ['law: true', true],
    ['law: false', false],
    ['as_of: 2022-03', true],
  ])('says with %j whether it is law: %s', (text, law) => {
    expect(parse(`title: T\n${text}`).about?.law).toBe(law);
  });

  it.each([
    ['title: A\nas_of: März 2022', /^2: as_of: must be a year and month/u],
    ['title: ""', /^1: title: /u],
    ['title: A\nlaw: false\nas_of: 2022-03', /^3: as_of: is the month as of which its law stands/u],
    ['title: A\nrechtsstand: 2022-03', /Unrecognized key/u],
    ['title: [', /^\d+: /u],
  ])('is refused by line where it is %j', (text, fault) => {
    const { about, faults } = parse(text);
    expect(about).toBeUndefined();
    expect(faults.join('\n')).toMatch(fault);
  });

  it.each([
    ['100,000 lists in one another', `title: ${'['.repeat(100_000)}`, '1: is nested more than 100 deep'],
    [
      '100,000 maps in one another',
      `title: T\ntopics: ${'{a: '.repeat(100_000)}`,
      '2: is nested more than 100 deep',
    ],
    [
      '3,000 lists, each further in than the one before',
      Array.from({ length: 3_000 }, (_, deep) => `${' '.repeat(deep)}-`).join('\n'),
      '101: is nested more than 100 deep',
    ],
    ['100,000 lists in one line', '- '.repeat(100_000), '1: is nested more than 100 deep'],
    [
      'aliases that stand for more than fits into memory',
      `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array<string>(9).fill(`*a${i}`).join(', ')}]`).join('\n')}`,
      expect.stringMatching(/^1: refers to itself too often/u),
    ],
    [
      'an alias of nothing',
      'title: T\nregion: *foo',
      '2: *foo refers to nothing: no &foo stands before it; put a value that begins with * in quotes',
    ],
  ])('is refused by its line, and soon: %s', (_, text, message) => {
    const started = process.threadCpuUsage();
    expect(parse(text)).toEqual({ about: undefined, faults: [message] });
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});
