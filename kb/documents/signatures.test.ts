import { expect, it } from 'vitest';

import { withSignatures } from './signatures.ts';
import type { Unit } from './unit.ts';

const heading = (text: string): Unit => ({ kind: 'heading', level: 1, text });
const paragraph = (text: string): Unit => ({ kind: 'paragraph', text });
const TEXT = paragraph(
  'Diese Satzung wurde am Montag im Amtsblatt der Gemeinde bekannt gemacht, wie es die Hauptsatzung verlangt.',
);
const headings = (...units: readonly Unit[]): string[] =>
  withSignatures(units).flatMap((unit) => (unit.kind === 'heading' ? [unit.text] : []));

it('are the lines below a place with its date, and no headings', () => {
  expect(
    headings(
      heading('Inkrafttreten'),
      TEXT,
      heading('Adorf, den 3. Mai 2024'),
      heading('Der Vorstand'),
      paragraph('der Gemeinde Adorf'),
      heading('Ratzel'),
      heading('Bekanntmachung'),
      TEXT,
      heading('Adorf, 07.10.2024'),
      heading('Ratzel'),
      paragraph('Bürgermeister'),
      heading('Anlage 1'),
    ),
  ).toEqual(['Inkrafttreten', 'Bekanntmachung', 'Anlage 1']);
});

it('leave headings with a date as they are', () => {
  expect(headings(heading('Sitzung vom 3. Mai 2024'), heading('Berlin, eine Stadt'), TEXT)).toHaveLength(2);
});
