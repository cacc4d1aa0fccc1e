import { describe, expect, it } from 'vitest';
import { answersAtOnce, passagesTold, wordsTold } from './told.ts';

const HEADINGS: Readonly<Record<string, string>> = { leave: 'Handbook › Leave', dogs: 'Handbook › Dogs' };
const headingsOf = (id: string): string => HEADINGS[id]!;
const question = (...key: RegExp[]) => ({ key });

const told = passagesTold(
  'Dogs may come on Fridays. [dogs] Ask first. [dogs] You have 30 days. [leave]\n\nSource as of May 2022.',
  ['dogs', 'leave'],
);

describe('what an answer tells', () => {
  it('is read passage by passage, without what follows the last citation', () => {
    expect(told).toEqual([
      { id: 'dogs', text: 'Dogs may come on Fridays. Ask first.' },
      { id: 'leave', text: ' You have 30 days.' },
    ]);
  });

  it('takes brackets in code for no citation', () => {
    expect(passagesTold('```\na [x] b\n``` [leave]', ['leave'])).toEqual([
      { id: 'leave', text: '```\na [x] b\n```' },
    ]);
  });

  it('answers at once if nothing stands before it that has nothing of the answer', () => {
    expect(answersAtOnce(question(/30 days/u), told, headingsOf)).toBe(false);
    expect(answersAtOnce(question(/30 days/u), told.slice(1), headingsOf)).toBe(true);
    expect(answersAtOnce(question(/fridays/iu), told, headingsOf)).toBe(true);
  });

  it('answers at once with two passages that each have a part', () => {
    expect(answersAtOnce(question(/30 days/u, /fridays/iu), told, headingsOf)).toBe(true);
    expect(answersAtOnce(question(/30 days/u, /fridays/iu, /cats/u), told, headingsOf)).toBe(false);
  });

  it('counts the heading of a passage with it', () => {
    expect(answersAtOnce(question(/leave/iu, /30 days/u), told.slice(1), headingsOf)).toBe(true);
  });

  it('has words of the answer, and others', () => {
    expect(wordsTold(question(/30 days/u), told)).toEqual({ all: 11, ofTheAnswer: 4 });
  });
});
