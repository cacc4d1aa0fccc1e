import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draw } from '../../../../actors/lifecycle.ts';
import { ASK, INDEX } from '../../../../actors/streams/knowledge.ts';
import { MARKET, TRAINING } from '../../../../actors/streams/models.ts';
import { ACCOUNT } from '../../../../actors/streams/trading.ts';
import { drawOrders } from '../../../../actors/trading/order-lifecycle.ts';
import { tellStory } from '../../../audit/story/story.ts';
import type { Story } from '../../../audit/story/plot.ts';
import { Walk } from '../../../audit/story/machine-walk.ts';
import { asked, retrieved, ToldRecord } from '../../../audit/story/told-record.suite.ts';
import {
  answeredAsk,
  cancelledOrder,
  draftOf,
  failedAsk,
  refusedAsk,
  resumedTraining,
} from '../../../audit/story/told-stories.suite.ts';
import { CATALOG } from '../../../../events/catalog/catalog.ts';
import { duration } from '../../number-format.ts';
import { widthOf, wrap } from '../../terminal.ts';
import { formatMachine } from './machine-text.ts';
import { formatStory } from './story-text.ts';
import { wordsOf } from './words.ts';

type Tell = (record: ToldRecord) => Promise<string>;

async function storyOf(tell: Tell): Promise<Story> {
  const record = new ToldRecord();
  return tellStory(record, await tell(record));
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\d]/gu, '');

const STORIES: readonly [name: string, tell: Tell][] = [
  ['answered-ask', answeredAsk],
  ['refused-ask', refusedAsk],
  ['failed-ask', failedAsk],
  ['cancelled-order', cancelledOrder],
  ['resumed-training', resumedTraining],
];

describe.each(STORIES)('the text of a story: %s', (name, tell) => {
  test('is as it was looked at and found good', async () => {
    const text = formatStory(await storyOf(tell), { columns: 80, colour: false });
    await expect(`${text}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  test.each([40, 57, 80, 200])(
    'is no wider than a terminal of %i columns, and says the same',
    async (columns) => {
      const story = await storyOf(tell);
      const text = formatStory(story, { columns, colour: false });
      expect(Math.max(...text.split('\n').map(widthOf))).toBeLessThanOrEqual(columns);
      const way = story.machine.path.join('');
      expect(lettersOf(text)).toContain(lettersOf(way));
    },
  );

  test('has colours on a terminal that takes them, and is the same text', async () => {
    const story = await storyOf(tell);
    const coloured = formatStory(story, { columns: 80, colour: true });
    expect(coloured).toContain('\u001B[32m');
    const lines = stripVTControlCharacters(coloured).split('\n');
    const plain = formatStory(story, { columns: 80, colour: false }).split('\n');
    expect(lines.map((line) => line.trimEnd())).toEqual(plain);
  });
});

test('nothing in a text steers the terminal, or turns the order of what stands there', async () => {
  const story = await storyOf(async (record) => {
    const question = 'a\u001B[2J\u001B]0;owned\u0007b\r\nc\u202Egnp\u009Bd\u0000';
    await record.ask('steered', 0, asked('steered', question));
    const code = '\u001B[31mred\u202E';
    await record.ask('steered', 1, { type: 'AskFailed', data: { request_id: 'steered', code } });
    return 'steered';
  });
  for (const foreign of [story, { ...story, id: 'x\u001B[2J', streams: ['\u0007'] }]) {
    const text = formatStory(foreign, { columns: 80, colour: false });
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(text).toContain('gnp');
  }
});

test('what can no longer be read says so, and what was left out is counted where it is missing', async () => {
  const story = await storyOf(async (record) => {
    const id = await answeredAsk(record);
    record.keys.erased.add(id);
    return id;
  });
  const text = formatStory({ ...story, omitted: 1_234 }, { columns: 80, colour: false });
  expect(text).toContain('(no longer readable)');
  const lines = text.split('\n');
  const gap = lines.findIndex((line) => line.includes('1,234 entries in between are not shown'));
  expect(lines[gap + 1]).toContain('Answer drafted, attempt 2');
  const [first, ...rest] = story.entries;
  const late = rest.map((entry) => ({ ...entry, at: '2033-01-01T00:00:00.000Z', after_ms: 217_379_000_000 }));
  const aged = formatStory({ ...story, entries: [first!, ...late] }, { columns: 80, colour: false });
  expect(aged).toMatch(/d \d+ h +[\d,]+ d /u);
  const sealed = { ...story.entries[0]!, data: { question: '(sealed)' } };
  expect(wordsOf(sealed).details[0]).toBe('(sealed)');
});

test('asks that share an id are told apart', async () => {
  const story = await storyOf(async (record) => {
    await record.ask('twice', 0, asked('twice', 'one?'), 'c1');
    await record.ask('twice', 0, asked('twice', 'two?'), 'c2');
    await record.ask('twice', 5, retrieved(), 'c1');
    return 'twice';
  });
  const text = formatStory(story, { columns: 80, colour: false });
  expect(text).toMatch(/\[1\] Question asked[^]+\[2\] Question asked[^]+\[1\] Passages searched/);
  expect(text).toMatch(/\* asked +◆ current state/);
});

test('an event that its machine has no place for is marked', async () => {
  const story = await storyOf(async (record) => {
    await refusedAsk(record);
    await record.ask('demo-2', 5, retrieved(), 'call-of-demo-2');
    return 'demo-2';
  });
  expect(formatStory(story, { columns: 80, colour: false })).toContain('it is not allowed in the state');
});

describe('the words for an event', () => {
  const NOT_TOLD =
    /^(AccountOpened|CashMoved|ClockSet|MarketSource|Trading|Session|Split|Dividend|DiscrepanciesSettled|PositionSettled|Borrow|Margin|Strategy|Paper(Split|Session|Position|Funds)|RecordCh)/;
  const told = CATALOG.map(({ type }) => type).filter((type) => !NOT_TOLD.test(type));

  test.each(told)('%s: are there, and stand whatever its data is', async (event) => {
    const entry = (await storyOf(refusedAsk)).entries[0]!;
    expect(wordsOf({ ...entry, event, data: {} }).title).not.toBe(event);
    const data = Object.fromEntries(
      Object.keys(CATALOG.find(({ type }) => type === event)!.schema.shape).map((field) => [
        field,
        '(sealed)',
      ]),
    );
    expect(() => wordsOf({ ...entry, event, data })).not.toThrow();
  });

  test('of a type that nobody knows are its data', async () => {
    const entry = (await storyOf(refusedAsk)).entries[0]!;
    const words = wordsOf({ ...entry, event: 'SomethingNew', data: { a: 1 } });
    expect(words).toMatchObject({ title: 'SomethingNew', details: ['{"a":1}'] });
  });

  test('of a reindex say how many files began it', async () => {
    const entry = (await storyOf(refusedAsk)).entries[0]!;
    const data = { request_id: 'r', files: { added: 1, changed: 2, removed: 0 } };
    expect(wordsOf({ ...entry, event: 'ReindexStarted', data })).toMatchObject({
      title: 'Reindex started, because files changed',
      details: ['1 file added, 2 changed, 0 removed'],
    });
  });

  test('of a ticker name its bars and its warnings', async () => {
    const entry = (await storyOf(refusedAsk)).entries[0]!;
    const { data } = draftOf('TickerUpdated', 'u');
    const warnings = Array.from({ length: 10 }, () => ({ date: '2024-01-02', kind: 'gap', detail: '' }));
    const of = { ...data, warnings, warnings_total: 12 } as Story['entries'][number]['data'];
    const words = wordsOf({ ...entry, event: 'TickerUpdated', data: of });
    expect(words.title).toBe('AAPL updated');
    expect(words.details[0]).toBe('12 bars, 0 splits, 1 dividend; 2020-01-02 to 2026-02-27');
    expect(words.details[1]).toMatch(/^12 warnings: 2024-01-02 gap, .* and 2 more$/);
  });
});

const MACHINES = [
  ...[ASK, TRAINING, MARKET, INDEX].map(({ lifecycle }) => ({ lifecycle, drawing: draw(lifecycle) })),
  { lifecycle: ACCOUNT.lifecycle, drawing: drawOrders() },
];

test('any walk through any machine is told within any width, and shows each state that was passed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...MACHINES),
      fc.array(fc.nat(100), { maxLength: 60 }),
      fc.integer({ min: 40, max: 120 }),
      ({ lifecycle, drawing }, picks, width) => {
        const walk = new Walk(lifecycle, () => drawing);
        for (const pick of picks) {
          const ways = drawing.transitions.filter(({ from }) => from === walk.state);
          const way = ways[pick % ways.length];
          if (way !== undefined) walk.take(way.event, way.to);
        }
        const machine = walk.toMachine();
        const lines = formatMachine(machine, width, (_, text) => text);
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
        for (const state of machine.path) expect(lines.join('\n')).toContain(`* ${state} `);
      },
    ),
    { numRuns: 60 },
  );
});

test('widths are those of a terminal: wide characters take two columns, marks none', () => {
  expect(['abc', '漢字', 'e\u0301', '👍', '→'].map(widthOf)).toEqual([3, 4, 1, 2, 1]);
  expect(wrap('漢字漢字 ab abcdefgh', 4)).toEqual(['漢字', '漢字', 'ab', 'abcd', 'efgh']);
});

test('durations are exact while they are short', () => {
  const of = [0, 9_999, 10_000, 61_000, 3_600_000, 90_000_000].map(duration);
  expect(of).toEqual(['0 ms', '9,999 ms', '10.0 s', '1 min 1 s', '1 h 0 min', '1 d 1 h']);
});
