import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import type { Source } from '../../kb/source.ts';
import type { Hit } from '../../kb/hit.ts';
import { MIN_ENTAILED, verifyEntailed } from '../../kb/answer/entailment.ts';
import type {
  Entailment,
  EntailmentPair,
  AskPorts,
  Draft,
  DraftSentence,
  Generator,
  Retriever,
} from '../../kb/answer/ports.ts';
import { askOf } from './run-ask.ts';
import { NO_FRAME_CONTEXT } from '../../kb/answer/templates.ts';
import { verify } from '../../kb/answer/verify.ts';

const source: Source = {
  id: 'URL-1',
  title: 'Mindesturlaub',
  section: '§ 3 BUrlG',
  stand: '2013-04',
  work: 'BUrlG',
  lang: 'de',
  year: null,
  text: 'Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr. Sonntage zählen nicht als Werktage.',
};
const hits: Hit[] = [{ source, score: 1, passages: [], referenced: false }];
const context = {
  language: 'de' as const,
  hits,
  exists: (id: string) => id === source.id,
  frames: { ...NO_FRAME_CONTEXT, months: ['2013-04'] },
};

const say = (text: string): DraftSentence => ({ kind: 'statement', text, citations: ['URL-1'] });
const QUOTE = say('Sonntage zählen nicht als Werktage.');
const REWORDED = say('24 Werktage beträgt der gesetzliche Mindesturlaub im Jahr.');
const WRONG = say('Der gesetzliche Mindesturlaub beträgt 30 Werktage im Jahr.');

function entailmentOf(
  judge: (pair: EntailmentPair) => number | null,
): Entailment & { pairs: EntailmentPair[] } {
  const pairs: EntailmentPair[] = [];
  return {
    pairs,
    name: 'nli',
    ready: true,
    entails: (given) => {
      pairs.push(...given);
      return Promise.resolve(given.map(judge));
    },
  };
}

function check(sentences: readonly DraftSentence[], entailment: Entailment) {
  const draft: Draft = { sentences };
  const { signal } = new AbortController();
  return verifyEntailed(draft, verify(draft, context), context, entailment, signal);
}

describe('a statement in other words', () => {
  test('is held against the stretch that supports it, under its heading', async () => {
    const entailment = entailmentOf(() => 1);
    expect(await check([REWORDED], entailment)).toEqual({ verified: true, failures: [] });
    expect(entailment.pairs).toEqual([
      {
        premise:
          'Mindesturlaub, § 3 BUrlG (BUrlG): Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr.',
        hypothesis: REWORDED.text,
      },
    ]);
  });

  test.each([0, MIN_ENTAILED - 0.01, null, Number.NaN])('is turned down at %s', async (probability) => {
    const verdict = await check(
      [QUOTE, REWORDED],
      entailmentOf(() => probability),
    );
    expect(verdict).toEqual({
      verified: false,
      failures: [{ sentence: 1, text: REWORDED.text, rule: 'not_entailed' }],
    });
  });

  test('holds where one of several supporting stretches entails it', async () => {
    const twice: Source = {
      ...source,
      text: `${source.text} Der gesetzliche Mindesturlaub beträgt also 24 Werktage im Jahr.`,
    };
    const draft: Draft = { sentences: [REWORDED] };
    const both = { ...context, hits: [{ ...hits[0]!, source: twice }] };
    const entailment = entailmentOf(({ premise }) => Number(premise.includes('also')));
    const { signal } = new AbortController();
    const verdict = await verifyEntailed(draft, verify(draft, both), both, entailment, signal);
    expect(entailment.pairs).toHaveLength(2);
    expect(verdict.verified).toBe(true);
  });
});

test('whole quotes need no model', async () => {
  const entailment = entailmentOf(() => 0);
  expect((await check([QUOTE], entailment)).verified).toBe(true);
  expect(entailment.pairs).toEqual([]);
});

test('what the rules turned down is not asked about; the rest of the draft is', async () => {
  const entailment = entailmentOf(() => 0);
  const verdict = await check([REWORDED, WRONG], entailment);
  expect(entailment.pairs).toHaveLength(1);
  expect(verdict.failures.map(({ sentence, rule }) => [sentence, rule])).toEqual([
    [0, 'not_entailed'],
    [1, 'number_not_in_source'],
  ]);
});

test('whatever the model says, nothing that the rules turned down comes to hold', async () => {
  const sentence = fc.constantFrom(QUOTE, REWORDED, WRONG, { kind: 'frame', text: 'Nein.' } as const);
  await fc.assert(
    fc.asyncProperty(fc.array(sentence), fc.double(), async (sentences, probability) => {
      const before = verify({ sentences }, context).failures;
      const verdict = await check(
        sentences,
        entailmentOf(() => probability),
      );
      expect(verdict.failures).toEqual(expect.arrayContaining([...before]));
      expect(verdict.verified).toBe(verdict.failures.length === 0);
    }),
  );
});

describe('an ask with a model that checks', () => {
  const retriever: Retriever = {
    hash: 'abc',
    search: () => Promise.resolve(hits),
    coverage: () => ({ value: 1, relevance: 0.9, otherYears: null, covered: true, missing: [] }),
    source: (id) => hits.find((hit) => hit.source.id === id)?.source,
    about: null,
    languages: ['de', 'en'],
  };

  async function ask(by: Entailment | Pick<AskPorts, 'entailment' | 'model'>, ...drafts: DraftSentence[][]) {
    const ports = 'entails' in by ? { entailment: by } : by;
    let n = 0;
    const generator: Generator = {
      name: 'fake',
      ready: true,
      generate: () => Promise.resolve({ sentences: drafts[Math.min(n++, drafts.length - 1)]! }),
    };
    const input = {
      request_id: 'r-1',
      question: 'Wie viel Urlaub?',
      mode: 'knowledge' as const,
      top_k: 8,
      model: 'fake',
      modelUntil: 'model' in ports ? Infinity : null,
      fallback: true,
      now: () => 0,
    };
    return askOf({ retriever, quoting: generator, ...ports }, input).run(new AbortController().signal);
  }

  test('has what does not follow written again', async () => {
    const output = await ask(
      entailmentOf(() => 0),
      [REWORDED],
      [QUOTE],
    );
    expect(output).toMatchObject({ answer: { status: 'answered', regenerations: 1, verified: true } });
  });

  test('stays uncertain, and cites nothing for it, where it is not', async () => {
    const output = await ask(
      entailmentOf(() => 0),
      [REWORDED],
    );
    expect(output).toMatchObject({ answer: { status: 'uncertain', verified: false, citations: [] } });
  });

  test('of the language model is left to quoting where its check does not come', async () => {
    const away: Entailment = {
      name: 'nli',
      ready: true,
      entails: () => Promise.reject(new BelegError('MODEL_UNAVAILABLE')),
    };
    const model: Generator = {
      name: 'model',
      ready: true,
      generate: () => Promise.resolve({ sentences: [REWORDED] }),
    };
    const output = await ask({ entailment: away, model }, [QUOTE]);
    expect(output).toMatchObject({ answer: { status: 'answered', model: 'fake' } });
    expect(output.events.map(({ type }) => type)).toEqual([
      'QuestionAsked',
      'PassagesRetrieved',
      'AnswerDrafted',
      'AnswerDrafted',
      'DraftVerified',
      'AnswerGiven',
    ]);
  });

  test('fails where the model does', async () => {
    const away: Entailment = {
      name: 'nli',
      ready: false,
      entails: () => Promise.reject(new BelegError('MODEL_UNAVAILABLE')),
    };
    expect(await ask(away, [REWORDED])).toMatchObject({
      outcome: 'failed',
      error: { code: 'MODEL_UNAVAILABLE' },
    });
  });
});
