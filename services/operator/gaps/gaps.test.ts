import { expect, test } from 'vitest';
import { answerData, VERIFIED } from '../../../events/catalog/answer-given.suite.ts';
import { COMMENTS_STREAM } from '../../../events/catalog/feedback.ts';
import { ToldRecord } from '../../audit/story/told-record.suite.ts';
import { groupGaps } from './group-topics.ts';
import { linesToAdd } from './lines-to-add.ts';
import { readAnswers } from './read-answers.ts';
import { formatLines, formatGaps } from '../kb-gaps.ts';

type Given = Parameters<typeof answerData>[1];

/** Records requests with the first source found, the answer, and its feedback. */
class Asks extends ToldRecord {
  async give(id: string, question: string, said: Given = {}, first: string | null = null) {
    const hits = first === null ? [] : [{ id: first, score: 1 }];
    const search = { queries: [question], hits, coverage: 0.1, covered: false, index: 'x' };
    await this.ask(id, 1_000, { type: 'PassagesRetrieved', data: search });
    await this.ask(id, 1_000, { type: 'AnswerGiven', data: answerData(id, { question, ...said }) });
  }

  rate(id: string, rating: 'up' | 'down', feedback: string | null = null) {
    const data = { request_id: id, rating, feedback, updated: false };
    return this.ask(id, 1_000, { type: 'AnswerRated', data }, `rating-of-${id}`);
  }

  comment(id: string, comment: string) {
    const draft = { type: 'CommentRecorded', data: { request_id: id, comment } };
    return this.add(COMMENTS_STREAM, [draft], { request: id, call: `comment-on-${id}` });
  }

  answers(selection = {}) {
    return readAnswers(this, selection);
  }
}

const GOOD: Given = { ...VERIFIED, relevance: 0.9, citations: ['A'] };

test('gaps are what was refused, rated down or of low relevance, by the words they share', async () => {
  const record = new Asks();
  await record.give('1', 'Wie hoch ist die Kilometerpauschale?', {}, 'STEUER-1');
  await record.give('2', 'Kilometerpauschale für das Fahrrad?', {}, 'STEUER-1');
  await record.give('3', 'Wie hoch ist der Mindestlohn?', GOOD);
  await record.give('4', 'Wie viel Urlaub bei Teilzeit?', GOOD, 'URL-1');
  await record.rate('4', 'up');
  await record.rate('4', 'down');
  await record.give('5', 'Urlaub im Minijob', { ...GOOD, relevance: 0.4 }, 'URL-2');
  await record.give('6', 'Sind Hunde im Büro erlaubt?');
  const gaps = groupGaps(await record.answers());
  expect(gaps).toMatchObject({
    answers: 6,
    gaps: 5,
    reasons: { refused: 3, rated_down: 1, low_relevance: 1 },
    without_text: 0,
  });
  expect(gaps.topics).toEqual([
    {
      topic: 'Kilometerpauschale',
      count: 2,
      reasons: { refused: 2, rated_down: 0, low_relevance: 0 },
      nearest: [{ id: 'STEUER-1', count: 2 }],
      examples: [
        { request_id: '2', question: 'Kilometerpauschale für das Fahrrad?' },
        { request_id: '1', question: 'Wie hoch ist die Kilometerpauschale?' },
      ],
    },
    expect.objectContaining({ topic: 'Urlaub', count: 2 }),
    expect.objectContaining({ topic: null, count: 1 }),
  ]);
  expect(formatGaps(gaps, { columns: 80, colour: false })).toBe(`\
5 of 6 answers show a gap: 3 refused, 1 rated down, 1 answered with low relevance

Kilometerpauschale  2: 2 refused
  “Kilometerpauschale für das Fahrrad?”  2
  “Wie hoch ist die Kilometerpauschale?”  1
  nearest: STEUER-1 (2)

Urlaub  2: 1 rated down, 1 answered with low relevance
  “Urlaub im Minijob”  5
  “Wie viel Urlaub bei Teilzeit?”  4
  nearest: URL-1 (1), URL-2 (1)

(other topics, one question each)  1: 1 refused
  “Sind Hunde im Büro erlaubt?”  6`);
});

test('an answer that was given again counts once, as it is now; a time narrows', async () => {
  const record = new Asks();
  await record.give('1', 'Wie hoch?');
  await record.give('1', 'Wie hoch?', GOOD);
  await record.give('2', 'Wie lange?');
  const [first, second] = await record.answers();
  expect(groupGaps([first!, second!])).toMatchObject({ answers: 2, gaps: 1 });
  expect(await record.answers({ from: second!.at })).toEqual([second]);
  expect(await record.answers({ to: second!.at })).toEqual([first]);
});

test('erased text stays erased, and text without its key sealed', async () => {
  const record = new Asks();
  await record.give('1', 'Geheime Kilometerpauschale?', {}, 'A');
  await record.rate('1', 'down', 'A meine ich');
  record.keys.erased.add('1');
  const erased = await record.answers();
  expect(groupGaps(erased)).toMatchObject({ gaps: 1, without_text: 1, topics: [] });
  expect(linesToAdd(erased, [{ id: 'A' }]).size).toBe(0);
  record.keys.isMissing = true;
  const sealed = await record.answers();
  expect(groupGaps(sealed)).toMatchObject({ gaps: 1, without_text: 1, topics: [] });
});

test.each([
  [99, 1],
  [100, 0],
])('of a source that has %i lines, %i are to be added', async (known, added) => {
  const record = new Asks();
  await record.give('1', 'resturlaub mitnehmen');
  await record.comment('1', 'URL-1');
  const asked = Array.from({ length: known }, (_, i) => `Frage ${i}`);
  expect(linesToAdd(await record.answers(), [{ id: 'URL-1', asked }]).size).toBe(added);
});

test('lines to add are questions whose source feedback, a comment or a rating tells', async () => {
  const record = new Asks();
  await record.give('1', 'resturlaub\nmitnehmen', { ...GOOD, citations: ['A'], relevance: 0.3 });
  await record.rate('1', 'down', 'Gemeint war URL-2.');
  await record.give('2', 'chef zahlt nicht');
  await record.comment('2', 'Dazu gibt es URL-1, auch URL-9.');
  await record.give('3', 'Was ist mit Überstunden?', { ...GOOD, citations: ['A'], relevance: 0.3 });
  await record.rate('3', 'up');
  await record.give('4', 'Nicht bewertet?');
  await record.give('5', 'von zweien', { ...GOOD, citations: ['A', 'URL-1'], relevance: 0.3 });
  await record.rate('5', 'up');
  await record.give('6', 'CHEF zahlt nicht');
  await record.comment('6', 'URL-1');
  await record.give('7', 'DE89370400440532013000 gepfändet');
  await record.comment('7', 'URL-1');
  await record.give('8', 'steht schon da');
  await record.comment('8', 'URL-1');
  await record.give('9', 'Welches Formular nehme ich?', { ...GOOD, citations: ['A'] });
  await record.rate('9', 'down');
  const lines = linesToAdd(await record.answers(), [
    { id: 'A' },
    { id: 'URL-1', asked: ['Steht schon da'] },
    { id: 'URL-2' },
  ]);
  expect(formatLines(lines)).toBe(`\
# A
asked:
  - Was ist mit Überstunden?
unanswered:
  - Welches Formular nehme ich?

# URL-1
asked:
  - chef zahlt nicht

# URL-2
asked:
  - resturlaub mitnehmen
`);
});
