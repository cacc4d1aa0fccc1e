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

it('a heading is of a time that is asked about, of another one, or of none', () => {
  const of = (section: string): boolean | null =>
    isOfTime({ title: 'Kasse', section } as Source, datesIn('Was wurde im Februar 2021 beschlossen?'));
  expect([of('2021-02-18 Treffen'), of('Jahr 2021'), of('2021-01-21 Treffen'), of('Treffen')]).toEqual([
    true,
    true,
    false,
    null,
  ]);
});
