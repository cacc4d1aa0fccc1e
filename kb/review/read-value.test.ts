import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, format, rational } from './rational.ts';
import { readDate, readValue } from './read-value.ts';

const amount = (value: string, unit: string | null, per: string | null = null) => ({
  value: decimal(value),
  unit,
  per,
});

describe('a value as a client writes it', () => {
  test.each([
    ['1.234,56 €', amount('1234.56', 'eur')],
    ['39 480 Euro', amount('39480', 'eur')],
    ['-300,00 €', amount('-300', 'eur')],
    ['300,00- €', amount('-300', 'eur')],
    ['300,00 €-', amount('-300', 'eur')],
    ['300,00-', amount('-300', null)],
    ['1500,- €', amount('1500', 'eur')],
    ['1.500,-- EUR', amount('1500', 'eur')],
    ['1500,–', amount('1500', null)],
    ['EUR 450', amount('450', 'eur')],
    ['450-Euro', amount('450', 'eur')],
    ['50 Cent', amount('0.5', 'eur')],
    ['14,6 %', amount('14.6', '%')],
    ['14,6 Prozent', amount('14.6', '%')],
    ['0,65 %-Punkte', amount('0.65', '%-point')],
    ['10,45 €/Std.', amount('10.45', 'eur', 'hour')],
    ['9,82 € brutto je Stunde', amount('9.82', 'eur', 'hour')],
    ['1.300 Euro monatlich', amount('1300', 'eur', 'month')],
    ['600 € vierteljährlich', amount('600', 'eur', 'quarter')],
    ['2.400 € p. a.', amount('2400', 'eur', 'year')],
    ['15 € in der Stunde', amount('15', 'eur', 'hour')],
    ['8 Stunden täglich', amount('8', 'hour', 'day')],
    ['sechs Wochen', amount('6', 'week')],
    ['vier Wochen zum Monatsende', amount('4', 'week')],
    ['20 Tage', amount('20', 'day')],
    ['24 Werktage', amount('24', 'werktag')],
    ['5-Tage-Woche', amount('5', 'day', 'week')],
    ['Fünf-Tage-Woche', amount('5', 'day', 'week')],
    ['1.234', amount('1234', null)],
  ])('%s', (text, value) => expect(readValue(text, 'de')).toEqual(value));

  test.each(['-300,00-', 'constructor-two hours', 'constructor Euro'])('%s is none', (text) =>
    expect(readValue(text, 'en')).toBeNull(),
  );

  test.each([
    ['31.12.2021', 2021, 12, 31],
    ['2021-12-31', 2021, 12, 31],
    ['31. Dezember 2021', 2021, 12, 31],
    ['December 31, 2021', 2021, 12, 31],
    ['Dezember 2021', 2021, 12, null],
    ['03/2022', 2022, 3, null],
    ['März 2022', 2022, 3, null],
  ])('the date %s is no amount', (text, year, month, day) => {
    expect(readDate(text)).toEqual({ year, month, day });
    expect(readValue(text, 'de')).toBeNull();
  });

  test.each([
    '450,01 bis 1.300 €',
    '12 - 14 Tage',
    '1,234.56 €',
    '1,234 €',
    'ca. 450 €',
    '450 € oder 520 €',
    '31.02.2022',
    '1.2.3 €',
    '',
    '€',
  ])('%s has no one reading in German', (text) => expect(readValue(text, 'de')).toBeNull());

  test('English separators count in English alone, German ones wherever they can mean one thing', () => {
    expect(readValue('1,234.56 €', 'en')).toEqual(amount('1234.56', 'eur'));
    expect(readValue('1.234,56 €', 'en')).toEqual(amount('1234.56', 'eur'));
    expect(readValue('1.234 €', 'en')).toBeNull();
    expect(readValue('9.82 €', 'de')).toEqual(amount('9.82', 'eur'));
  });
});

test('what is formatted is read back, in both languages', () => {
  const cents = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
  fc.assert(
    fc.property(cents, fc.constantFrom('de', 'en'), (value, language) => {
      const written = `${format(rational(value, 100n), 2, language)} €`;
      expect(readValue(written, language)).toEqual({ ...amount('0', 'eur'), value: rational(value, 100n) });
    }),
  );
});

test('no text is an exception', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom(
        '0',
        '1',
        '23',
        '456',
        '.',
        ',',
        '-',
        ' ',
        '€',
        '%',
        'EUR',
        'bis',
        'Tage',
        'Woche',
      ),
    }),
  );
  fc.assert(
    fc.property(text, (each) => {
      readDate(each);
      readValue(each, 'de');
      readValue(each, 'en');
    }),
  );
});
