import { expect, test } from 'vitest';
import { answerData, VERIFIED } from '../../../events/catalog/answer-given.suite.ts';
import { ToldRecord } from '../../audit/story/told-record.suite.ts';
import { readAnswers } from '../gaps/read-answers.ts';
import { checkAnswer } from './check-answer.ts';
import { readExpectations } from './expectation.ts';
import { beginFromFeedback } from './from-feedback.ts';

test.each([
  ['commas', 'question,expected\n"Urlaub, wie viel?",URL-1|URL-2\n'],
  ['semicolons, a byte-order mark, CRLF', '\uFEFFquestion;expected\r\nUrlaub, wie viel?;URL-1 | URL-2\r\n'],
  ['the columns’ names in German, others between', 'Nr;Erwartet;Frage\n1;URL-1|URL-2;Urlaub, wie viel?\n\n'],
])('a file of questions has %s', (_, text) => {
  expect(readExpectations(Buffer.from(text), 'q.csv')).toEqual([
    { question: 'Urlaub, wie viel?', expected: ['URL-1', 'URL-2'], says: [] },
  ]);
});

test('a file without these columns is none', () => {
  expect(() => readExpectations(Buffer.from('a;b\n1;2\n'), 'q.csv')).toThrow(
    'q.csv has no columns `question` and `expected` in its first line',
  );
});

test('a file begins from what was rated: what was good is expected, of what was not a person says it', async () => {
  const record = new ToldRecord();
  const give = (id: string, question: string, rating: 'up' | 'down' | null, said = {}) =>
    record.ask(id, 1_000, { type: 'AnswerGiven', data: answerData(id, { question, ...said }) }).then(() =>
      rating === null
        ? undefined
        : record.ask(id, 1_000, {
            type: 'AnswerRated',
            data: {
              request_id: id,
              rating,
              feedback: rating === 'up' ? null : 'falsch, "so" nicht',
              updated: false,
            },
          }),
    );
  const good = { ...VERIFIED, citations: ['A', 'B'] };
  await give('1', '=Wie hoch?', 'up', good);
  await give('2', 'Wie lange?', 'down', good);
  await give('3', 'Nicht bewertet?', null, good);
  await give('4', 'Gibt es Hunde?', 'up');
  await give('5', 'DE89370400440532013000 gepfändet?', 'up', good);
  await give('6', 'wie lange?', 'up', { ...VERIFIED, citations: ['B'] });
  const begun = beginFromFeedback(await readAnswers(record, {}));
  expect(begun).toMatchObject({ expected: 3, open: 0, leftOut: 1 });
  expect(readExpectations(Buffer.from(begun.csv), 'q.csv')).toEqual([
    { question: '=Wie hoch?', expected: ['A', 'B'], says: [] },
    { question: 'wie lange?', expected: ['B'], says: [] },
    { question: 'Gibt es Hunde?', expected: 'refused', says: [] },
  ]);
  await give('7', 'Wie hoch?', 'down', good);
  expect(beginFromFeedback(await readAnswers(record, {})).csv).toContain(
    'Wie hoch?,,,"rated down: A|B; falsch, ""so"" nicht"\r\n',
  );
});

const SOURCES = [{ id: 'A', path: 'a/Übersicht.md' }, { id: 'A.2', path: 'a/Übersicht.md' }, { id: 'B' }];
const CITES = {
  status: 'answered',
  answer: 'Sechs  Monate. [A.2]',
  citations: ['A.2'],
  clarification_question: null,
} as const;
const REFUSED = { status: 'refused', answer: 'Dazu …', citations: [], clarification_question: null } as const;

test.each([
  [['A.2'], CITES, 'held'],
  [['a/U\u0308bersicht.md'], CITES, 'held'],
  [['A'], CITES, 'fell'],
  [['A.2', 'B'], CITES, 'fell'],
  [['C'], CITES, 'fell'],
  [['B'], REFUSED, 'fell'],
  ['refused', REFUSED, 'held'],
  ['refused', CITES, 'fell'],
  [null, CITES, 'open'],
] as const)('expected %j of %j: %s', (expected, given, result) => {
  expect(checkAnswer({ question: 'x', expected, says: [] }, given, SOURCES).result).toBe(result);
});

test.each([
  ['sechs Monate', []],
  ['vier Monate', ['does not say “vier Monate”']],
])('an answer has to say “%s”, however it is set', (words, why) => {
  expect(checkAnswer({ question: 'x', expected: null, says: [words] }, CITES, SOURCES).why).toEqual(why);
});
