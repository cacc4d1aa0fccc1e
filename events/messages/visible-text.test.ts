import { expect, test } from 'vitest';
import { EraseRequest } from './audit.ts';
import { CommentRequest } from './feedback.ts';
import { AskRequest } from './knowledge.ts';

const faultsOf = (text: string) =>
  [
    AskRequest.safeParse({ question: text }),
    CommentRequest.safeParse({ request_id: 'r', comment: text }),
    EraseRequest.safeParse({ request_id: 'r', reason: text }),
  ].map(({ error }) => error?.issues.map(({ message }) => message) ?? []);

test.each(['', '  ', '\u200b', '\ufeff\u2060 \u00ad', '\u3164', '\u{e0041}', '\u2800', '\u0007'])(
  '%j is no text of a person',
  (text) => {
    expect(faultsOf(text)).toEqual([['Must not be empty'], ['Must not be empty'], ['Must not be empty']]);
  },
);

test.each(['?', 'a\u200bb', '👩\u200d👧', '§', 'ن', '\u00adx'])('%j is one', (text) => {
  expect(faultsOf(text)).toEqual([[], [], []]);
});
