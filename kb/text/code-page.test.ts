import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeAny } from './decode.ts';

/** The bytes of these characters in each code page; all others are ASCII. */
const BYTES = {
  'Windows-1252': {
    ä: 0xe4,
    ö: 0xf6,
    ü: 0xfc,
    Ä: 0xc4,
    Ö: 0xd6,
    Ü: 0xdc,
    ß: 0xdf,
    é: 0xe9,
    '§': 0xa7,
    '€': 0x80,
    '„': 0x84,
    '“': 0x93,
    '–': 0x96,
    '’': 0x92,
  },
  'Mac Roman': {
    ä: 0x8a,
    ö: 0x9a,
    ü: 0x9f,
    Ä: 0x80,
    Ö: 0x85,
    Ü: 0x86,
    ß: 0xa7,
    é: 0x8e,
    '§': 0xa4,
    '€': 0xdb,
    '„': 0xe3,
    '“': 0xd2,
    '–': 0xd0,
    '’': 0xd5,
  },
  'code page 850': { ä: 0x84, ö: 0x94, ü: 0x81, Ä: 0x8e, Ö: 0x99, Ü: 0x9a, ß: 0xe1, é: 0x82, '§': 0xf5 },
  'code page 437': { ä: 0x84, ö: 0x94, ü: 0x81, Ä: 0x8e, Ö: 0x99, Ü: 0x9a, ß: 0xe1, é: 0x82, '§': 0x15 },
} satisfies Record<string, Record<string, number>>;
type Page = keyof typeof BYTES;
const PAGES = Object.keys(BYTES) as Page[];

/** The text in a code page; `undefined` where that does not have all of it. */
function written(text: string, page: Page): Buffer | undefined {
  const bytes = Array.from(text, (char) =>
    char < '\u0080' ? char.charCodeAt(0) : (BYTES[page] as Record<string, number>)[char],
  );
  return bytes.includes(undefined) ? undefined : Buffer.from(bytes as number[]);
}

describe.each(PAGES)('%s', (page) => {
  test.each([
    'Der Urlaub für Schwerbehinderte beträgt fünf Tage.',
    'Größe; Straße; Müller',
    'Öffnungszeiten: Über die Änderung entscheidet die Geschäftsführung nach § 5.',
    'Café',
  ])('%s', (text) => {
    expect(decodeAny(written(text, page)!)).toBe(text);
  });
});

test.each([
  'Er sagte: „Das Geld – 20 € – ist für Sie.“',
  'It’s the employer’s duty – don’t forget.',
  '§§ 3, 4 BUrlG',
])('signs beside words decide as letters do: %s', (text) => {
  for (const page of ['Windows-1252', 'Mac Roman'] as const)
    expect(decodeAny(written(text, page)!)).toBe(text);
});

test('German texts of the starter base are read in every code page that has all of their signs', () => {
  const folder = join(import.meta.dirname, '..', 'corpus', 'urlaub');
  let read = 0;
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const page of PAGES) {
      const bytes = written(text, page);
      if (bytes === undefined) continue;
      expect(`${page} ${name}: ${decodeAny(bytes)}`).toBe(`${page} ${name}: ${text}`);
      read += 1;
    }
  }
  expect(read).toBeGreaterThan(20);
});

test('UTF-16 without a byte-order mark is known by its zeros', () => {
  const bytes = Buffer.from('Überstunden sind zu vergüten.\n', 'utf16le');
  expect(decodeAny(bytes)).toBe('Überstunden sind zu vergüten.\n');
  expect(decodeAny(Buffer.from(bytes).swap16())).toBe('Überstunden sind zu vergüten.\n');
});

test('lines in UTF-8 stay what they are beside others', () => {
  const bytes = Buffer.concat([
    Buffer.from('Größe für alle\n'),
    written('Größe für Männer\n', 'Windows-1252')!,
  ]);
  expect(decodeAny(bytes)).toBe('Größe für alle\nGröße für Männer\n');
});

test.each([
  ['Cyrillic in Windows-1251', Buffer.from('cff0e0e2e8ebe020e2ede5f8ede8e520f0e0e1eef2', 'hex')],
  [
    'bytes of a picture',
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x81, 0x8d, 0x9d, 0x8f, 0xd0, 0xde]),
  ],
  ['zeros', Buffer.from('a\0b\0\0\0c')],
])('%s is no text of a language that is known here', (_, bytes) => {
  expect(decodeAny(bytes)).toBeUndefined();
});
