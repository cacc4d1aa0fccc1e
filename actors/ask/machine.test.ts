import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import type { Coverage } from '../../kb/knowledge.ts';
import type { Source } from '../../kb/source.ts';
import type { Hit } from '../../kb/hit.ts';
import { createExtractiveGenerator } from '../../kb/answer/extractive/generator.ts';
import type { Draft, GenerateInput, Generator, Retriever } from '../../kb/answer/ports.ts';
import { askOf } from './run-ask.ts';
import type { AskInput } from './ask-context.ts';

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
const hit: Hit = { source, score: 1, passages: [{ source, text: source.text, start: 0 }], referenced: false };
const covered: Coverage = { value: 1, relevance: 0.9, otherYears: null, covered: true, missing: [] };
const uncovered: Coverage = {
  value: 0.2,
  relevance: 0.9,
  otherYears: null,
  covered: false,
  missing: ['Krankengeld'],
};

const right: Draft = {
  sentences: [
    {
      kind: 'statement',
      text: 'Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr.',
      citations: ['URL-1'],
    },
  ],
};
const wrong: Draft = {
  sentences: [
    ...right.sentences,
    {
      kind: 'statement',
      text: 'Der gesetzliche Mindesturlaub beträgt 30 Werktage im Jahr.',
      citations: ['URL-1'],
    },
  ],
};

const input: AskInput = {
  request_id: 'r-1',
  question: 'Wie viel Urlaub gibt es?',
  mode: 'knowledge',
  top_k: 8,
  model: 'fake',
  modelUntil: null,
  fallback: true,
  now: () => 1000,
};

function retriever(coverage: Coverage): Retriever & { searches: string[] } {
  const searches: string[] = [];
  return {
    searches,
    hash: 'abc',
    search: (query) => {
      searches.push(query);
      return Promise.resolve([hit]);
    },
    coverage: () => coverage,
    source: (id) => (id === source.id ? source : undefined),
    languages: ['de', 'en'],
    about: { asOf: '2013-04', law: true },
  };
}

function generator(...drafts: (Draft | null | Error)[]): Generator & { inputs: GenerateInput[] } {
  const inputs: GenerateInput[] = [];
  return {
    inputs,
    name: 'fake',
    ready: true,
    generate(given) {
      inputs.push(given);
      const next = drafts[inputs.length - 1];
      if (next instanceof Error) return Promise.reject(next);
      return Promise.resolve(next ?? null);
    },
  };
}

const run = (finder: Retriever, writer: Generator, signal = new AbortController().signal) =>
  askOf({ retriever: finder, quoting: writer }, input).run(signal);

const types = (events: readonly { type: string }[]): string[] => events.map((event) => event.type);

it('puts the question on record where what was sent cannot be read, and the fault says why', async () => {
  const fault = new RangeError('Maximum call stack size exceeded');
  const reviewBase = new Proxy({} as NonNullable<AskInput['reviewBase']>, {
    get: () => {
      throw fault;
    },
  });
  const context = { facts: [{ key: 'stundenlohn', value: '9 €' }] };
  const output = await askOf(
    { retriever: retriever(covered), quoting: generator(right) },
    { ...input, mode: 'review', context, reviewBase },
  ).run(new AbortController().signal);
  expect(output.events.map(({ type }) => type)).toEqual(['QuestionAsked', 'AskFailed']);
  expect(output).toMatchObject({ outcome: 'failed', error: { code: 'INTERNAL', cause: fault } });
});

describe('an ask', () => {
  it('judges the first of what was found of which something can be told, and gives the next one its own relevance', async () => {
    const mute = { ...hit, source: { ...source, id: 'MUTE-1', text: '## Urlaub\n\n---' } };
    const judged: string[][] = [];
    const found: Retriever = {
      ...retriever(covered),
      search: () => Promise.resolve([mute, hit]),
      coverage: (_, hits) => {
        judged.push(hits.map(({ source: { id } }) => id));
        return { ...covered, relevance: hits[0]?.source.id === 'URL-1' ? 0.4 : 0.99 };
      },
    };
    const output = await run(found, createExtractiveGenerator());
    expect(judged).toEqual([['URL-1']]);
    expect(output).toMatchObject({ answer: { status: 'answered', citations: ['URL-1'], relevance: 0.4 } });
    const nothing = await run(
      { ...found, search: () => Promise.resolve([mute]) },
      createExtractiveGenerator(),
    );
    expect(judged.at(-1)).toEqual([]);
    expect(nothing).toMatchObject({ outcome: 'answer' });
  });

  it('answers with a verified, cited draft and records every step', async () => {
    const output = await run(retriever(covered), generator(right));
    expect(output.outcome).toBe('answer');
    if (output.outcome !== 'answer') return;
    expect(output.answer).toMatchObject({
      status: 'answered',
      verified: true,
      answer_type: 'specific',
      citations: ['URL-1'],
      regenerations: 0,
      n_context: 1,
      planned_queries: [],
    });
    expect(output.answer.answer).toBe(
      'Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr. [URL-1]\n\nRechtsstand der Wissensbasis: April 2013.',
    );
    expect(output.answer.sources.map((each) => each.id)).toEqual(['URL-1']);
    expect(types(output.events)).toEqual([
      'QuestionAsked',
      'PassagesRetrieved',
      'AnswerDrafted',
      'DraftVerified',
      'AnswerGiven',
    ]);
  });

  it('refuses without a source when the search does not cover the question, and says what is missing', async () => {
    const writer = generator(right);
    const output = await run(retriever(uncovered), writer);
    expect(output).toMatchObject({
      outcome: 'answer',
      answer: {
        status: 'refused',
        verified: false,
        answer_type: 'refusal',
        citations: [],
        sources: [],
        conflicts: [],
        answer: expect.stringContaining('„Krankengeld“'),
      },
    });
    expect(writer.inputs).toHaveLength(0);
    expect(types(output.events)).toEqual(['QuestionAsked', 'PassagesRetrieved', 'AnswerGiven']);
  });

  it('refuses when the generator finds no answer in the passages', async () => {
    const finder = retriever(covered);
    const output = await run(finder, generator(null, null));
    expect(output).toMatchObject({ outcome: 'answer', answer: { status: 'refused', citations: [] } });
    expect(finder.searches).toEqual([input.question]);
  });

  it('regenerates with the failing sentences named, twice at most', async () => {
    const writer = generator(wrong, wrong, right);
    const output = await run(retriever(covered), writer);
    expect(output).toMatchObject({
      outcome: 'answer',
      answer: { status: 'answered', verified: true, regenerations: 2 },
    });
    expect(writer.inputs.map((given) => given.attempt)).toEqual([0, 1, 2]);
    expect(writer.inputs[0]!.failures).toEqual([]);
    expect(writer.inputs[1]!.failures).toEqual([
      { sentence: 1, text: wrong.sentences[1]!.text, rule: 'number_not_in_source' },
    ]);
    expect(writer.inputs[1]!.previous?.sentences).toHaveLength(3);
  });

  it('stays uncertain after three drafts that do not hold, and shows what holds of the best one', async () => {
    const output = await run(retriever(covered), generator(wrong, wrong, wrong));
    expect(output).toMatchObject({
      outcome: 'answer',
      answer: { status: 'uncertain', verified: false, regenerations: 2, citations: ['URL-1'] },
    });
    if (output.outcome !== 'answer') return;
    const [quotes, frames] = output.answer.answer.split('\n\n');
    expect(quotes).toBe('Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr. [URL-1]');
    expect(frames).toBe(
      'Unsicher: Aussagen, die sich nicht aus den Quellen belegen ließen, sind weggelassen. Rechtsstand der Wissensbasis: April 2013.',
    );
  });

  it('stays uncertain when the generator gives up on a draft that did not hold', async () => {
    const output = await run(retriever(covered), generator(wrong, null));
    expect(output).toMatchObject({ outcome: 'answer', answer: { status: 'uncertain', regenerations: 1 } });
  });

  it('fails with the code of a fault of the generator', async () => {
    const output = await run(retriever(covered), generator(new BelegError('SERVICE_UNAVAILABLE')));
    expect(output).toMatchObject({ outcome: 'failed', error: { code: 'SERVICE_UNAVAILABLE' } });
    expect(output.events.at(-1)).toEqual({
      type: 'AskFailed',
      afterMs: 0,
      data: { request_id: 'r-1', code: 'SERVICE_UNAVAILABLE' },
    });
  });

  it('fails as INTERNAL on anything unforeseen, with the cause kept for the log', async () => {
    const cause = new Error('secret path');
    const output = await run(retriever(covered), generator(cause));
    expect(output).toMatchObject({ outcome: 'failed', error: { code: 'INTERNAL', cause } });
    const broken: Draft = { sentences: [{ kind: 'statement', text: 'x', citations: null as never }] };
    const inStep = await run(retriever(covered), generator(broken));
    expect(inStep).toMatchObject({ outcome: 'failed', error: { code: 'INTERNAL' } });
    expect(inStep.events.at(-1)!.type).toBe('AskFailed');
  });

  it('fails when the search fails', async () => {
    const finder = {
      ...retriever(covered),
      search: () => Promise.reject(new BelegError('INDEX_NOT_READY')),
    };
    expect(await run(finder, generator(right))).toMatchObject({
      outcome: 'failed',
      error: { code: 'INDEX_NOT_READY' },
    });
  });

  it('ends at once when aborted, before or during the work, and aborts the generator', async () => {
    expect(await run(retriever(covered), generator(right), AbortSignal.abort())).toMatchObject({
      outcome: 'failed',
      error: { code: 'DEADLINE_EXCEEDED' },
    });

    const abort = new AbortController();
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const slow: Generator = {
      name: 'slow',
      ready: true,
      generate: (_input, signal) => {
        signal.addEventListener('abort', () => resolve());
        abort.abort(new BelegError('OVERLOADED'));
        return new Promise(() => undefined);
      },
    };
    const output = await run(retriever(covered), slow, abort.signal);
    await aborted;
    expect(output).toMatchObject({ outcome: 'failed', error: { code: 'OVERLOADED' } });
    expect(types(output.events)).toEqual(['QuestionAsked', 'PassagesRetrieved', 'AskFailed']);
  });

  it('says the same for the same question', async () => {
    const outputs = await Promise.all([1, 2].map(() => run(retriever(covered), generator(wrong, right))));
    expect(outputs[0]).toEqual(outputs[1]);
  });

  it('stamps each step with its own time', async () => {
    let now = 0;
    const output = await askOf(
      { retriever: retriever(covered), quoting: generator(right) },
      {
        ...input,
        now: () => (now += 10),
      },
    ).run(new AbortController().signal);
    const times = output.events.map(({ afterMs }) => afterMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
  });
});

const part = (sentences: Draft['sentences'], of: number): Draft => ({
  sentences: sentences.map((sentence) => ({ ...sentence, part: of })),
});

describe('an ask with a language model', () => {
  const quoted: Draft = {
    sentences: [{ kind: 'statement', text: 'Sonntage zählen nicht als Werktage.', citations: ['URL-1'] }],
  };
  const mixed = wrong;
  const allWrong: Draft = { sentences: wrong.sentences.slice(1) };
  const otherWrong: Draft = {
    sentences: [
      { kind: 'statement', text: 'Der Mindesturlaub beträgt 31 Werktage im Jahr.', citations: ['URL-1'] },
    ],
  };
  const away = new BelegError('MODEL_UNAVAILABLE');

  async function ask(
    drafts: (Draft | null | Error)[],
    { quotes = [quoted], ...more }: { quotes?: (Draft | null)[] } & Partial<AskInput> = {},
  ) {
    const model = { ...generator(...drafts), name: 'model' };
    const quoting = { ...generator(...quotes), name: 'extractive' };
    const output = await askOf(
      { retriever: retriever(covered), quoting, model },
      {
        ...input,
        model: 'extractive',
        modelUntil: 20_000,
        ...more,
      },
    ).run(new AbortController().signal);
    return { output, answer: output.outcome === 'answer' ? output.answer : null, model, quoting };
  }

  it('is answered by it where its draft holds', async () => {
    const { answer, quoting } = await ask([right]);
    expect(answer).toMatchObject({ status: 'answered', model: 'model', regenerations: 0 });
    expect(quoting.inputs).toEqual([]);
  });

  it.each<[string, (Draft | null | Error)[]]>([
    ['nothing of it holds', [allWrong, otherWrong, allWrong]],
    ['it does not know', [null]],
    ['it does not know how to mend what it wrote', [allWrong, null]],
    ['it is away', [away]],
    ['it goes away', [allWrong, away]],
  ])('is answered by quoting where %s', async (_, drafts) => {
    const { answer, output, model } = await ask(drafts);
    expect(answer).toMatchObject({
      status: 'answered',
      verified: true,
      model: 'extractive',
      citations: ['URL-1'],
    });
    expect(answer!.answer).not.toMatch(/3[01] Werktage/u);
    expect(model.inputs).toHaveLength(drafts.length);
    expect(output.events.at(-2)).toMatchObject({ type: 'DraftVerified', data: { verified: true } });
  });

  it('answers with what a review has checked also where it is of no use and nothing stands in for it', async () => {
    const { answer } = await ask([away], {
      fallback: false,
      mode: 'review',
      context: { computation: { label: 'Lohn', result: '3 €', components: [{ key: 'a', value: '1 €' }] } },
      reviewBase: { quantities: [], figures: {}, terms: {}, rules: [], never: [], limits: [], remarks: [] },
    });
    expect(answer).toMatchObject({
      status: 'answered',
      verdict: 'implausible',
      checks: [{ status: 'warn' }],
    });
  });

  it('adds no warning to a review, whatever it writes', async () => {
    const given = {
      mode: 'review' as const,
      context: { computation: { label: 'Lohn', result: '1 €', components: [{ key: 'a', value: '1 €' }] } },
      reviewBase: { quantities: [], figures: {}, terms: {}, rules: [], never: [], limits: [], remarks: [] },
    };
    const sentence = fc.record({
      kind: fc.constant('statement' as const),
      text: fc.oneof(
        fc.constantFrom(...[right, wrong].flatMap(({ sentences }) => sentences.map(({ text }) => text))),
        fc.constantFrom(
          '⚠ lohn: falsch [URL-1]',
          'Plausibilitätsprüfung:\n1 von 1 Angaben geprüft.\n⚠ a: falsch',
          'Der Lohn ist falsch.',
        ),
        fc.string(),
      ),
      citations: fc.constant(['URL-1']),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 4 }), async (sentences) => {
        const draft: Draft = { sentences };
        const { answer } = await ask([draft, draft, draft], given);
        expect(answer).toMatchObject({ verdict: 'plausible', checks: [{ status: 'ok' }] });
        expect(answer!.answer).not.toContain('⚠');
      }),
      { numRuns: 12 },
    );
  });

  it('shows what holds and says that the rest is left out; all of it is on record', async () => {
    const { answer, output, quoting } = await ask([mixed, mixed]);
    expect(answer).toMatchObject({
      status: 'uncertain',
      verified: false,
      model: 'model',
      citations: ['URL-1'],
    });
    expect(answer!.answer).toBe(
      'Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr. [URL-1]\n\n' +
        'Unsicher: Aussagen, die sich nicht aus den Quellen belegen ließen, sind weggelassen. Rechtsstand der Wissensbasis: April 2013.',
    );
    expect(quoting.inputs).toEqual([]);
    const drafts = output.events.flatMap(({ type, data }) => (type === 'AnswerDrafted' ? [data.draft] : []));
    expect(drafts[0]).toContain('30 Werktage');
  });

  it('shows what held also where the model goes away, with or without a fallback', async () => {
    for (const fallback of [true, false]) {
      const { answer } = await ask([mixed, away], { fallback });
      expect(answer).toMatchObject({ status: 'uncertain', model: 'model', citations: ['URL-1'] });
    }
  });

  it('fails where it is away and nobody is to stand in', async () => {
    const { output, quoting } = await ask([away], { fallback: false });
    expect(output).toMatchObject({ outcome: 'failed', error: away });
    expect(quoting.inputs).toEqual([]);
  });

  it('is refused in the name of who refuses where quoting finds nothing either', async () => {
    const { answer } = await ask([null], { quotes: [null, null] });
    expect(answer).toMatchObject({ status: 'refused', model: 'extractive' });
  });

  it('is not tried a third time where the second draft failed as the first did', async () => {
    const { model } = await ask([allWrong, allWrong, right]);
    expect(model.inputs).toHaveLength(2);
  });

  it('is not tried again where a draft as slow as the last would come too late', async () => {
    let now = 0;
    const { model, answer } = await ask([allWrong, right], { now: () => (now += 4_000), modelUntil: 20_000 });
    expect(model.inputs).toHaveLength(1);
    expect(answer).toMatchObject({ status: 'answered', model: 'extractive' });
  });

  it('asks neither model nor quoting where nothing is covered', async () => {
    const model = generator(right);
    const output = await askOf(
      { retriever: retriever(uncovered), quoting: generator(right), model },
      {
        ...input,
        modelUntil: 20_000,
      },
    ).run(new AbortController().signal);
    expect(output).toMatchObject({ answer: { status: 'refused' } });
    expect(model.inputs).toEqual([]);
  });

  it('quotes for the parts that it leaves out', async () => {
    const second: Source = {
      ...source,
      id: 'ML-1',
      title: 'Mindestlohn',
      text: 'Der Mindestlohn beträgt 10,45 Euro.',
    };
    const other: Hit = {
      ...hit,
      source: second,
      passages: [{ source: second, text: second.text, start: 0 }],
    };
    const finder = {
      ...retriever(covered),
      coverage: () => covered,
      search: () => Promise.resolve([hit, other]),
      source: () => second,
    };
    const model = { ...generator(part(right.sentences, 0)), name: 'model' };
    const quoting = {
      ...generator(part([{ kind: 'statement', text: second.text, citations: ['ML-1'] }], 1)),
      name: 'extractive',
    };
    const output = await askOf(
      { retriever: finder, quoting, model },
      {
        ...input,
        question: 'Wie viele Werktage Urlaub gibt es im Jahr und wie hoch ist der Mindestlohn?',
        model: 'extractive',
        modelUntil: 20_000,
      },
    ).run(new AbortController().signal);
    expect(output).toMatchObject({
      answer: { status: 'answered', model: 'model+extractive', citations: ['URL-1', 'ML-1'] },
    });
    expect(quoting.inputs[0]!.parts.map(({ covered }) => covered)).toEqual([false, true]);
  });
});
