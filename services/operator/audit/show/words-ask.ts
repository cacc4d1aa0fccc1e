import type { AskEvent, CommentEvent, ErasureEvent } from '../../../../events/catalog/catalog.ts';
import { count, grouped } from '../../figures.ts';
import { printable } from '../../terminal.ts';
import type { Facts } from './facts.ts';
import { bad, good, plain, type Describe } from './tones.ts';

type Types = (AskEvent | CommentEvent | ErasureEvent)['type'];

const LANGUAGES = { de: 'German', en: 'English' } as const;

export const ASK_WORDS: Readonly<Record<Types, Describe>> = {
  QuestionAsked: (facts) =>
    plain(
      'Question asked',
      facts.quote('question'),
      `${facts.is('language', 'de') ? LANGUAGES.de : LANGUAGES.en}, ${facts.text('mode')} mode, at most ${count(facts.number('top_k'), 'passage')}`,
      facts.is('mode', 'review') ? `to review: ${facts.text('context')}` : '',
    ),
  PassagesRetrieved: (facts) =>
    plain(
      facts.is('widened', true) ? 'Searched again, more widely' : 'Passages searched',
      `for: ${facts.list('queries', (_, query) => printable(JSON.stringify(query)))}`,
      `found: ${facts.list('hits', (hit) => `${hit.text('id')} ${hit.number('score').toFixed(2)}`)}`,
      `${Math.round(facts.number('coverage') * 100)} % of the question covered${facts.is('covered', true) ? '' : ': not enough'}; index ${facts.hash('index')}`,
    ),
  AnswerDrafted: (facts) =>
    plain(
      `Answer drafted${attempt(facts)}`,
      facts.quote('draft'),
      `cites ${facts.ids('citations')}; by ${facts.text('model')}`,
    ),
  DraftVerified: (facts) =>
    facts.is('verified', true)
      ? good(`Draft passed${attempt(facts)}`)
      : bad(
          `Draft failed${attempt(facts)}`,
          facts.list('failures', (of) => `sentence ${of.number('sentence') + 1}: ${of.text('rule')}`, ''),
        ),
  AnswerGiven: (facts) => {
    const details = [
      facts.quote('answer'),
      facts.has('verdict') ? `verdict: ${facts.text('verdict')}` : '',
      `cites ${facts.ids('citations')}`,
      `${facts.is('verified', true) ? 'verified' : 'not verified'}, ${facts.text('answer_type')}, by ${facts.text('model')}, ` +
        `${count(facts.number('regenerations'), 'regeneration')}, ${grouped(facts.number('latency_ms'))} ms`,
    ];
    if (facts.is('status', 'answered')) return good('Answered', ...details);
    return bad(facts.is('status', 'refused') ? 'Refused' : 'Answered, uncertain', ...details);
  },
  AskFailed: (facts) => bad('Failed', facts.text('code')),
  AnswerRated: (facts) =>
    plain(
      `Rated ${facts.text('rating')}${facts.is('updated', true) ? ', replaces an earlier rating' : ''}`,
      facts.has('feedback') ? facts.quote('feedback') : '',
    ),
  CommentRecorded: (facts, { revision }) => plain(`Comment ${grouped(revision + 1)}`, facts.quote('comment')),
  ErasureRequested: (facts) =>
    plain(
      'Erasure requested',
      `by ${facts.is('by', 'retention') ? 'retention' : 'an operator'}: ${facts.text('reason')}`,
    ),
  TextErased: () => plain('Text erased', 'its key was deleted: the text can no longer be read anywhere'),
};

function attempt(facts: Facts): string {
  return facts.number('attempt') === 0 ? '' : `, attempt ${facts.number('attempt') + 1}`;
}
