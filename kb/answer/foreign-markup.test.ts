import { describe, expect, it } from 'vitest';
import { hasForeignMarkup } from './foreign-markup.ts';

const source = {
  text: 'Der Antrag steht auf www.amt.example/antrag [Anlage 2] und gilt ab 1.7.2022 (§ 3 Abs. 1 Nr. 2).',
};

describe('markup that a source has not', () => {
  it.each([
    'http://boese.example',
    'HTTPS://boese.example',
    'javascript:alert(1)',
    'Siehe boese.example',
    'boese.example/pfad',
    '//boese.example',
    'an chef@boese.example',
    'tel:0900123',
    '<script>alert(1)</script>',
    '<b>fett',
    '&lt;b&gt;',
    '**Sicher:** belegt',
    '`code`',
    '__wichtig__',
    '# Überschrift',
    '[ML-HOEHE-2022]',
    '(ML-HOEHE-2022)',
    '[Text](boese.example)',
    'Zeile\n- Punkt',
    'a | b',
  ])('is found: %s', (markup) => {
    expect(hasForeignMarkup(`Der Urlaub beträgt 24 Werktage. ${markup}`, [source])).toBe(
      !/^(?:#|- )/u.test(markup),
    );
    expect(hasForeignMarkup(markup, [source])).toBe(true);
  });

  it.each([
    'Der Antrag steht auf www.amt.example/antrag.',
    'Siehe [Anlage 2].',
    'Nach § 3 Abs. 1 Nr. 2 BUrlG gilt das ab 1.7.2022, d.h. z.B. ab Juli (24 Werktage).',
    'Es sind 10,45 Euro (brutto) je Zeitstunde: mehr nicht.',
    'Der Minijob-Beitrag (U1/U2) beträgt 0,9 % bzw. 0,29 %; 450-Euro-Job.',
    'Lohn- und Gehaltsabrechnung – i.V.m. § 611a BGB.',
  ])('is none where it is plain text, or stands in the source: %s', (text) => {
    expect(hasForeignMarkup(text, [source])).toBe(false);
  });
});
