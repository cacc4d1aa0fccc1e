import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import type { Span } from './figure.ts';
import { reachOf, readsOf } from './reach.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const named = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
const choicesOf = (choices: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(choices)
    .map(([choice, spellings]) => (spellings.length === 0 ? choice : `${choice} (${spellings.join(', ')})`))
    .join(' / ');
const written = ({ from, to }: Span): string =>
  from === null ? 'always' : from === to ? from : `${from} to ${to}`;

describe('what rules reach', () => {
  test('is when all their figures have a passage, and what they read', () => {
    expect(reachOf('kv_an', base).filter(({ rule }) => rule === 'kv-an')).toEqual([
      {
        rule: 'kv-an',
        demands: ['exactly'],
        times: [{ from: '2019-01', to: '2022-12' }],
        needs: ['minijob', 'sv_brutto', 'kv_zusatzsatz'],
        regards: expect.arrayContaining(['einmalzahlung', 'krankenversicherung']),
      },
    ]);
  });

  test('has a gap where no passage bears a year', () => {
    expect(reachOf('bav_foerderbetrag', base)[0]!.times).toEqual([
      { from: '2018-01', to: '2019-12' },
      { from: '2020-09', to: '2022-12' },
    ]);
  });

  test('is always where the law names no time', () => {
    expect(reachOf('entgeltfortzahlung_tage', base)).toEqual([
      {
        rule: 'entgeltfortzahlung-tage',
        demands: ['at_most'],
        times: [{ from: null, to: null }],
        needs: [],
        regards: ['tarifvertrag'],
      },
    ]);
  });

  test('leaves no quantity idle: each is checked, or read by a rule', () => {
    const reads = readsOf(base);
    const idle = base.quantities.filter(({ key }) => reachOf(key, base).length === 0 && !reads.has(key));
    expect(idle.map(({ key }) => key)).toEqual([]);
  });

  test('bears nearly every quantity that is checked in each year from 2019 to 2022', () => {
    const checked = base.quantities.filter(({ key }) => reachOf(key, base).length > 0);
    const open = checked.flatMap(({ key }) =>
      ['2019', '2020', '2021', '2022'].flatMap((year) =>
        reachOf(key, base).some(({ times }) =>
          times.some(({ from, to }) => from === null || (from <= `${year}-07` && to! >= `${year}-03`)),
        )
          ? []
          : [`${key} ${year}`],
      ),
    );
    // What began in the autumn of 2022.
    const late = /^(?:energiepreispauschale|inflationsausgleichspraemie) /u;
    expect(open.filter((each) => !late.test(each))).toEqual(['corona_bonus 2019', 'bav_foerderbetrag 2020']);
  });
});

test('the vocabulary stands in the documentation as it is, with the rules that check it', async () => {
  const lines = [
    '# Vocabulary of the starter base',
    '',
    'What `GET /v1/review/vocabulary` publishes, for reading. `review.md` says how it is used.',
    '',
    row('Key', 'What it is', 'Applies to', 'Kind', 'Otherwise', 'Also'),
    row('---', '---', '---', '---', '---', '---'),
    ...base.quantities.map(
      ({ key, explanation, appliesTo, kind, unit, per, choices, otherwise, also, english, maybe }) =>
        row(
          `\`${key}\``,
          explanation,
          appliesTo,
          [kind, unit, per, choices === undefined ? undefined : choicesOf(choices)]
            .filter((part) => part !== undefined && part !== null)
            .join(', '),
          otherwise === undefined ? '' : `\`${otherwise.replaceAll('|', String.raw`\|`)}\``,
          [
            named([...also, ...english]),
            ...(maybe.length === 0 ? [] : [`may also be something else: ${named(maybe)}`]),
          ].join('; '),
        ),
    ),
    '',
    '## What checks it',
    '',
    'How a value must stand to what the rule says, months for which a passage bears the rule, the facts that it may need, and those that it takes into account where they',
    'are given. A quantity that is not here only describes the case.',
    '',
    row('Key', 'Rule', 'Demands', 'For', 'Needs', 'Takes into account'),
    row('---', '---', '---', '---', '---', '---'),
    ...base.quantities.flatMap(({ key }) =>
      reachOf(key, base).map(({ rule, demands, times, needs, regards }) =>
        row(
          `\`${key}\``,
          rule,
          demands.join(', ').replaceAll('_', ' '),
          times.map(written).join(', '),
          named(needs),
          named(regards),
        ),
      ),
    ),
    '',
  ];
  await expect(lines.join('\n')).toMatchFileSnapshot('../../docs/review-vocabulary.md');
});
