import { expect, test } from 'vitest';
import { isOfTime } from './quoted-years.ts';

const in2020 = { from: '2020-09', to: '2020-09' };

test.each([
  ['Im Jahr 2020 beträgt die Grenze 6.900 Euro.', true],
  ['Im Jahr 2022 also bis zu 3.384 Euro.', false],
  ['In den Jahren 2019, 2020 und 2021 bleiben 44 Euro frei.', true],
  ['Vom 1. Januar 2020 bis zum 31. Dezember 2022 sind es 2,4 Prozent.', true],
  ['Seit dem 1. Januar 2022 die Hälfte.', false],
  ['Seit 2015 gilt der Mindestlohn.', true],
  ['Bis zum 31. Dezember 2021 entfällt er.', true],
  ['Bis zum 31. Dezember 2019 entfällt er.', false],
  ['Für eine im Jahr 2019 begonnene Ausbildung sind es 515 Euro.', true],
  ['Bei Ausbildungsbeginn im Jahr 2019 steigt sie um 18 Prozent.', true],
  ['Nach dem Rechtsstand vom März 2022 sind es 450 Euro.', true],
  ['Der Zuschlag beträgt 2022 Euro, § 2019 ist kein Jahr.', true],
])('of a month in 2020: %s %s', (quote, isProof) => {
  expect(isOfTime({ quote }, in2020)).toBe(isProof);
});

test('a slip without a time may be proved by any sentence', () => {
  expect(isOfTime({ quote: 'Im Jahr 2022 also bis zu 3.384 Euro.' }, 'none')).toBe(true);
});
