import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { parseKnowledgeBase } from '../base/load.ts';
import { parseStatute } from './statute.ts';

const SHARED = join(import.meta.dirname, '../../../shared');
const FOLDERS = ['statutes', 'statutes-more'].map((name) => join(SHARED, name));

const asked = z
  .record(z.string(), z.array(z.string()))
  .parse(parse(readFileSync(join(import.meta.dirname, 'asked.yaml'), 'utf8')));

describe('how people ask for imported statutes', () => {
  test('every key is a source id and every list one that a base may hold', () => {
    const files = Object.entries(asked).map(([id, lines]) => ({
      path: `${id}.md`,
      changed: '2024-01',
      bytes: Buffer.from(
        `---\nid: ${id}\ntitle: "T"\nsection: ""\nstand: "2022-03"\nwork: "W"\nasked: ${JSON.stringify(lines)}\n---\n\nText\n`,
      ),
    }));
    const { sources, warnings } = parseKnowledgeBase({ files, unread: [], others: new Map() });
    expect(Object.fromEntries(sources.map((source) => [source.id, source.asked]))).toEqual(asked);
    expect(warnings).toEqual([]);
  });

  test('every § has four to six lines, none twice', () => {
    const odd = Object.entries(asked).filter(([, lines]) => {
      const different = new Set(lines.map((line) => line.toLowerCase()));
      return lines.length < 4 || lines.length > 6 || different.size < lines.length;
    });
    expect(odd).toEqual([]);
  });

  test.skipIf(!FOLDERS.every((folder) => existsSync(folder)))(
    'every key is a § of a statute in ../shared (skipped where they are missing)',
    () => {
      const statutes = FOLDERS.flatMap((folder) =>
        readdirSync(folder).map((name) => parseStatute(readFileSync(join(folder, name), 'utf8'))),
      );
      const ids = new Set(statutes.flatMap((statute) => statute?.norms.map(({ id }) => id) ?? []));
      expect(Object.keys(asked).filter((id) => !ids.has(id))).toEqual([]);
    },
  );
});
