import { describe, expect, it } from 'vitest';

import { withoutSeeAlso } from './see-also.ts';
import type { Unit } from './unit.ts';

const heading = (text: string, level = 2): Unit => ({ kind: 'heading', level, text });
const item = (text: string): Unit => ({ kind: 'item', depth: 0, text });
const paragraph = (text: string): Unit => ({ kind: 'paragraph', text });
const text = [heading('Storno', 1), paragraph('Drücken Sie die Taste Storno.')];

describe('a list of links below a heading that says so', () => {
  it.each(['Verwandte Themen', 'Siehe auch', 'Weitere Links', 'See also', 'Related pages:'])(
    'is left out with its heading, and counted: %s',
    (above) => {
      const units = [...text, heading(above), item('Beleg drucken'), item('Kasse – Übersicht')];
      expect(withoutSeeAlso({ units, leftOut: { footer: 1 } })).toEqual({
        units: text,
        leftOut: { footer: 1, link: 2 },
      });
    },
  );

  it('takes the heading of pictures with it, which would stand alone', () => {
    const units = [...text, heading('Screenshots'), heading('Verwandte Themen'), item('Beleg drucken')];
    expect(withoutSeeAlso({ units })).toEqual({ units: text, leftOut: { link: 1 } });
  });

  it.each([
    'Support: support@example.org',
    'Das Formular liegt im Intranet.',
    'https://example.org/antrag',
    'Hotline 0800 123',
  ])('stays if a line says something: %s', (line) => {
    const document = { units: [...text, heading('Weitere Links'), item('Beleg drucken'), item(line)] };
    expect(withoutSeeAlso(document)).toBe(document);
  });

  it.each([
    [heading('Zahlarten'), item('Bar'), item('Karte')],
    [heading('Weitere Dokumente'), item('Ausweis')],
    [heading('Links')],
  ])('stays below another heading, and what is no list stays', (...units) => {
    const document = { units: [...text, ...units] };
    expect(withoutSeeAlso(document)).toBe(document);
  });

  it('stays where a document has nothing else', () => {
    const document = { units: [heading('See also'), item('Returns')] };
    expect(withoutSeeAlso(document)).toBe(document);
  });
});
