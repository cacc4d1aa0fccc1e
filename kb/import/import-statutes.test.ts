import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { loadKnowledgeBase } from '../base/load.ts';
import { importStatutes } from './import-statutes.ts';
import { parseStatute } from './statute.ts';

const STATUTE = `---
Title: Gesetz über die Prüfung von
  Beispielen
jurabk: PrüfG 2019
layout: default
slug: pruefg_2019

---

# Gesetz über die Prüfung von Beispielen (PrüfG 2019)

Ausfertigungsdatum
:   2019-05-20

Neugefasst durch
:   Bek. v. 4. 3.2020 I 406;

Zuletzt geändert durch
:   Art. 9 G v. 22.11.2021 I 1746


## Eingangsformel

Der Bundestag hat beschlossen:


## Erster Abschnitt - Allgemeines



### § 1 Grundsatz

(1) Ein Beispiel wird geprüft, soweit es

1.  neu ist, insbesondere in der Zwei-
    Felder-Form,

    a)  erstmals vorgelegt,


    b)  erneut vorgelegt,


2.  bis zum 1\\. Mai vorliegt.



und nicht ausgenommen ist.[^F1]

(2)
1             Die Prüfung dauert höchstens 12 Wochen.
2             Sie beginnt am Tag nach
der Vorlage.

[^F1]:     Amtlicher Hinweis, der nicht
    dazugehört.


### § 2 (weggefallen)


### § 2a

-


## Zweiter Abschnitt - Kosten



### (XXXX) §§ 3 bis 5 (weggefallen)


### §§ 6 und 7 Gebühren

Es gelten:

*    *   Antrag

    *   50 Euro,


*    *   Einspruch

    *   75 Euro.





## Anlage 2 (zu § 6) Muster

Das Muster.


## Schlussformel

Der Bundesrat hat zugestimmt.
`;

function head(name: string, title: string): string {
  return `---\nTitle: ${title}\njurabk: ${name}\n---\n\n# X\n\n## § 2 Größe\n\nText.\n`;
}

describe('a statute', () => {
  const statute = parseStatute(STATUTE)!;

  test('is cut into its paragraphs and annexes', () => {
    expect(statute.norms.map(({ id, title, section }) => [id, title, section])).toEqual([
      ['PruefG2019-1', '§ 1 PrüfG: Grundsatz', 'Erster Abschnitt - Allgemeines'],
      ['PruefG2019-6-7', '§§ 6 und 7 PrüfG: Gebühren', 'Zweiter Abschnitt - Kosten'],
      ['PruefG2019-Anlage2', 'Anlage 2 PrüfG: (zu § 6) Muster', ''],
    ]);
    expect(statute).toMatchObject({ work: 'PrüfG', stand: '2021-11' });
  });

  test('leaves out what is repealed or no rule, and says so', () => {
    expect(statute.repealed).toEqual(['§ 2 (weggefallen)', '(XXXX) §§ 3 bis 5 (weggefallen)']);
    expect(statute.withoutText).toEqual(['Eingangsformel', '§ 2a', 'Schlussformel']);
  });

  test('loses its line breaks, sentence numbers and footnotes; lists stay lists', () => {
    expect(statute.norms[0]!.text).toBe(
      [
        '(1) Ein Beispiel wird geprüft, soweit es',
        '1. neu ist, insbesondere in der Zwei-Felder-Form,',
        '    a) erstmals vorgelegt,',
        '    b) erneut vorgelegt,',
        '2. bis zum 1. Mai vorliegt.',
        '',
        'und nicht ausgenommen ist.',
        '',
        '(2) Die Prüfung dauert höchstens 12 Wochen. Sie beginnt am Tag nach der Vorlage.',
      ].join('\n'),
    );
  });

  test('has its tables a row a line', () => {
    expect(statute.norms[1]!.text).toBe('Es gelten:\n- Antrag | 50 Euro,\n- Einspruch | 75 Euro.');
  });

  test.each([
    ['Zuletzt geändert durch\n:   Art. 9 G v. 22.11.2021 I 1746', 'Ohne\n:   Belang', '2020-03'],
    [/(?:Zuletzt|Neugefasst)[^\n]*\n:[^\n]*/gu, '', '2019-05'],
  ])('takes its stand from the last date there is', (gone, instead, stand) => {
    expect(parseStatute(STATUTE.replaceAll(gone, instead))?.stand).toBe(stand);
  });

  test('of yearly figures carries the year in its titles, a book of the SGB its Roman number', () => {
    expect(parseStatute(head('SVBezGrV 2021', 'Verordnung über Rechengrößen für 2021'))).toMatchObject({
      work: 'SVBezGrV',
      norms: [{ id: 'SVBezGrV2021-2', title: '§ 2 SVBezGrV 2021: Größe' }],
    });
    expect(parseStatute(head('SGB 4', 'Viertes Buch'))).toMatchObject({
      work: 'SGB IV',
      norms: [{ id: 'SGB4-2', title: '§ 2 SGB IV: Größe' }],
    });
  });

  test('is none without an abbreviation', () => {
    expect(parseStatute('# Read me')).toBeUndefined();
    expect(parseStatute('---\nTitle: x\n---\n')).toBeUndefined();
  });
});

describe('an import', () => {
  let inputs: string;
  let out: string;
  const run = () => importStatutes({ inputs: [inputs], out });
  const contents = async (): Promise<Map<string, string>> => {
    const entries = await readdir(out, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    return new Map(
      await Promise.all(paths.sort().map(async (path) => [path, await readFile(path, 'utf8')] as const)),
    );
  };

  beforeEach(async () => {
    const work = await mkdtemp(join(tmpdir(), 'beleg-import-'));
    [inputs, out] = [join(work, 'in'), join(work, 'out')];
    await mkdir(inputs);
    await writeFile(join(inputs, 'pruefg.md'), STATUTE);
    await writeFile(join(inputs, 'README.md'), '# Read me');
    await writeFile(join(inputs, 'other.md'), 'no statute');
  });
  afterEach(() => rm(join(inputs, '..'), { recursive: true }));

  test('gives a § the lines that tell how people ask for it', async () => {
    const statute =
      '---\nTitle: X\njurabk: EntgFG\n---\n\n# X\n\n## § 3 Anspruch\n\nSechs Wochen.\n\n## § 99 Neu\n\nText.\n';
    await writeFile(join(inputs, 'entgfg.md'), statute);
    await run();
    const { sources, warnings } = await loadKnowledgeBase(out);
    const lines = (id: string) => sources.find((source) => source.id === id)?.asked;
    expect(lines('EntgFG-3')).toContain('wie lange zahlt der chef bei krankheit');
    expect(lines('EntgFG-99')).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test('removes what a killed import has left unfinished', async () => {
    await run();
    const before = await contents();
    for (const folder of new Set([...before.keys()].map((path) => dirname(path)))) {
      const left = join(folder, 'a.md.0b7a3c52-5f0e-4f0c-9d4e-2f6f5d0a1b2c.part');
      await writeFile(left, 'half');
      await utimes(left, 0, 0);
    }
    await run();
    expect(await contents()).toEqual(before);
  });

  test('writes a base that loads without fault or warning', async () => {
    expect(await run()).toMatchObject({
      statutes: 1,
      sources: 3,
      written: 3,
      removed: 0,
      repealed: 2,
      withoutText: 3,
    });
    const { sources, warnings } = await loadKnowledgeBase(out);
    expect(sources.map(({ id, stand, work, year }) => [id, stand, work, year])).toEqual([
      ['PruefG2019-1', '2021-11', 'PrüfG', null],
      ['PruefG2019-6-7', '2021-11', 'PrüfG', null],
      ['PruefG2019-Anlage2', '2021-11', 'PrüfG', null],
    ]);
    expect(warnings).toEqual([]);
  });

  test('says of the base that it is law, unless the base speaks for itself', async () => {
    await run();
    expect((await loadKnowledgeBase(out)).about).toMatchObject({ law: true, asOf: null });
    await writeFile(join(out, 'base.yaml'), 'title: Eigene\n');
    await run();
    expect((await loadKnowledgeBase(out)).about?.title).toBe('Eigene');
  });

  test('leaves nothing behind where there was no statute', async () => {
    await rm(join(inputs, 'pruefg.md'));
    const synonymsFile = join(inputs, '..', 'synonyms.txt');
    await writeFile(synonymsFile, 'a => b\n');
    expect(await importStatutes({ inputs: [inputs], out, synonymsFile })).toMatchObject({ statutes: 0 });
    await expect(readdir(out)).rejects.toThrow('ENOENT');
  });

  test('names what is no statute', async () => {
    expect((await run()).notStatutes).toEqual([join(inputs, 'other.md')]);
  });

  test('again writes nothing and leaves the same bytes', async () => {
    await run();
    const before = await contents();
    expect(await run()).toMatchObject({ written: 0, unchanged: 3, removed: 0 });
    expect(await contents()).toEqual(before);
  });

  test('removes what is gone from the statute, but nothing that others put there or changed', async () => {
    await run();
    const own = join(out, 'PruefG2019', 'OWN-1.md');
    const changed = join(out, 'PruefG2019', 'PruefG2019-Anlage2.md');
    await writeFile(own, 'mine');
    await writeFile(changed, 'mine too');
    await writeFile(join(inputs, 'pruefg.md'), STATUTE.replace(/### §§ 6[\s\S]*/u, ''));
    expect(await run()).toMatchObject({ sources: 1, removed: 1, kept: ['PruefG2019/PruefG2019-Anlage2.md'] });
    expect(await readFile(own, 'utf8')).toBe('mine');
    expect(await readFile(changed, 'utf8')).toBe('mine too');
  });

  test('touches nothing outside the base, whatever the list of a former import names', async () => {
    const outside = join(out, '..', 'outside.md');
    await writeFile(outside, 'mine');
    await run();
    const hash = createHash('sha256').update('mine').digest('base64url');
    for (const path of ['../outside.md', 'PruefG2019/../../outside.md', outside]) {
      await writeFile(join(out, '.import.json'), JSON.stringify({ PruefG2019: { [path]: hash } }));
      await expect(run()).rejects.toThrow('.import.json was not written by an import');
    }
    expect(await readFile(outside, 'utf8')).toBe('mine');
  });

  test('keeps the files of a statute that is called synonyms', async () => {
    const synonymsFile = join(inputs, '..', 'synonyms.txt');
    await writeFile(synonymsFile, 'a => b\n');
    await writeFile(join(inputs, 'syn.md'), STATUTE.replaceAll('PrüfG 2019', 'synonyms'));
    const again = () => importStatutes({ inputs: [inputs], out, synonymsFile });
    await again();
    expect(await again()).toMatchObject({ written: 0, removed: 0, kept: [] });
    expect((await loadKnowledgeBase(out)).sources.map(({ id }) => id)).toContain('synonyms-1');
  });

  test('of one statute leaves the others alone, and brings the synonyms once', async () => {
    const synonymsFile = join(inputs, '..', 'synonyms.txt');
    await writeFile(synonymsFile, 'a => b\n');
    await run();
    const other = STATUTE.replaceAll('PrüfG 2019', 'AndG');
    await writeFile(join(inputs, 'andg.md'), other);
    const result = await importStatutes({ inputs: [join(inputs, 'andg.md')], out, synonymsFile });
    expect(result).toMatchObject({ statutes: 1, written: 4, removed: 0 });
    expect((await loadKnowledgeBase(out)).sources).toHaveLength(6);
    await writeFile(join(out, 'synonyms.txt'), 'c => d\n');
    expect((await loadKnowledgeBase(out)).synonyms).toMatchObject([{ from: ['c'] }]);
  });
});
