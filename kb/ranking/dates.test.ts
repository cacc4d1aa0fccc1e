import { expect, it } from 'vitest';
import type { Source } from '../source.ts';
import { datesIn, isOfTime } from './dates.ts';

it.each<[string, string[]]>([
  ['2021-02-18 Treffen', ['2021-02']],
  ['Was war im Februar 2021?', ['2021-02']],
  ['Stand 31.03.2020: 490,99 €', ['2020-03']],
  ['the meeting of March 5th, 2020, and 04/2020', ['2020-04', '2020-03']],
  ['Ende 2021', ['2021']],
  ['Nr. 2021-45, 12.2021.5, Bau 20210', []],
])('%s names the months and years %j', (text, dates) => {
  expect(datesIn(text)).toEqual(dates);
});

it.each<[string, boolean | null]>([
  ['2021-02-18 Treffen', true],
  ['Jahr 2021', true],
  ['2021-01-21 Treffen', false],
  ['Treffen', null],
])('below %s a passage is of the time that is asked about: %s', (section, expected) => {
  const source = { title: 'Kasse', section } as Source;
  expect(isOfTime(source, datesIn('Was wurde im Februar 2021 beschlossen?'))).toBe(expected);
  expect(isOfTime(source, datesIn('Was wurde beschlossen?'))).toBeNull();
});
