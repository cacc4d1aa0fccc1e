import type { AskEvent, CommentEvent, ErasureEvent } from '../../../../events/catalog/catalog.ts';
import { grouped } from '../../number-format.ts';
import { printable } from '../../terminal.ts';
import type { Facts } from './event-facts.ts';
import { bad, good, plain, type Describe } from './tones.ts';

type Types = (AskEvent | CommentEvent | ErasureEvent)['type'];

export const ASK_WORDS: Readonly<Record<Types, Describe>> = {
  QuestionAsked: (facts) =>
    plain(
      'Question asked',
      facts.say('{question"}'),
      `${facts.is('language', 'de') ? 'German' : 'English'}, ${facts.say('{mode} mode, at most {top_k passage}')}`,
      facts.is('mode', 'review') ? facts.say('to review: {context}') : '',
    ),
  PassagesRetrieved: (facts) =>
    plain(
      facts.is('widened', true) ? 'Searched again, more widely' : 'Passages searched',
      `for: ${facts.list('queries', (_, query) => printable(JSON.stringify(query)))}`,
      `found: ${facts.list('hits', (hit) => `${hit.say('{id}')} ${hit.number('score').toFixed(2)}`)}`,
      `${Math.round(facts.number('coverage') * 100)} % of the question covered${facts.is('covered', true) ? '' : ': not enough'}; ${facts.say('index {index~}')}`,
    ),
  AnswerDrafted: (facts) =>
    plain(
      `Answer drafted${attempt(facts)}`,
      facts.say('{draft"}'),
      facts.say('cites {citations*}; by {model}'),
    ),
  DraftVerified: (facts) =>
    facts.is('verified', true)
      ? good(`Draft passed${attempt(facts)}`)
      : bad(
          `Draft failed${attempt(facts)}`,
          facts.list('failures', (of) => `sentence ${of.number('sentence') + 1}: ${of.say('{rule}')}`, ''),
        ),
  AnswerGiven: (facts) => {
    const details = [
      facts.say('{answer"}'),
      facts.sayIf('verdict', 'verdict: {verdict}'),
      facts.say('cites {citations*}'),
      `${facts.is('verified', true) ? '' : 'not '}verified, ${facts.say('{answer_type}, by {model}, {regenerations regeneration}, {latency_ms#} ms')}`,
    ];
    if (facts.is('status', 'answered')) return good('Answered', ...details);
    return bad(facts.is('status', 'refused') ? 'Refused' : 'Answered, uncertain', ...details);
  },
  AskFailed: bad('Failed', '{code}'),
  AnswerRated: (facts) =>
    plain(
      `${facts.say('Rated {rating}')}${facts.is('updated', true) ? ', replaces an earlier rating' : ''}`,
      facts.sayIf('feedback', '{feedback"}'),
    ),
  CommentRecorded: (facts, { revision }) =>
    plain(`Comment ${grouped(revision + 1)}`, facts.say('{comment"}')),
  ErasureRequested: (facts) =>
    plain(
      'Erasure requested',
      `by ${facts.is('by', 'retention') ? 'retention' : 'an operator'}: ${facts.say('{reason}')}`,
    ),
  TextErased: plain('Text erased', 'its key was deleted: the text can no longer be read anywhere'),
};

function attempt(facts: Facts): string {
  return facts.number('attempt') === 0 ? '' : `, attempt ${facts.number('attempt') + 1}`;
}
