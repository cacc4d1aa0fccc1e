import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import type { Coverage, Hit, Source } from '../../kb/knowledge.ts';
import type { Draft, GenerateInput, Generator, Retriever } from './ports.ts';
import { askMachineOf, runAsk } from './run.ts';
import type { AskInput } from './steps.ts';

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
const covered: Coverage = { value: 1, covered: true, missing: [] };
const uncovered: Coverage = { value: 0.2, covered: false, missing: ['Krankengeld'] };

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
  now: () => 1000,
};

function retriever(coverages: Coverage[]): Retriever & { searches: { wide: boolean }[] } {
  const searches: { wide: boolean }[] = [];
  return {
    searches,
    indexHash: 'abc',
    search: (_query, options) => {
      searches.push({ wide: options.wide });
      return Promise.resolve([hit]);
    },
    coverage: () => coverages[Math.min(searches.length, coverages.length) - 1]!,
    source: (id) => (id === source.id ? source : undefined),
    lastYear: () => 2022,
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
  runAsk(askMachineOf(finder, writer), input, signal);

const types = (events: readonly { type: string }[]): string[] => events.map((event) => event.type);

describe('an ask', () => {
  it('answers with a verified, cited draft and records every step', async () => {
    const output = await run(retriever([covered]), generator(right));
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
      'Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr. [URL-1]\n\nStand der zitierten Quellen: 2013-04.',
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

  it('searches once more, wider, when the first search does not cover the question', async () => {
    const finder = retriever([uncovered, covered]);
    const output = await run(finder, generator(right));
    expect(output).toMatchObject({ outcome: 'answer', answer: { status: 'answered' } });
    expect(finder.searches).toEqual([{ wide: false }, { wide: true }]);
    expect(types(output.events).filter((type) => type === 'PassagesRetrieved')).toHaveLength(2);
  });

  it('refuses without a source when the wider search does not cover it either, and says what is missing', async () => {
    const writer = generator(right);
    const output = await run(retriever([uncovered, uncovered]), writer);
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
  });

  it('refuses when the generator finds no answer in the passages, also not in the wider ones', async () => {
    const finder = retriever([covered]);
    const output = await run(finder, generator(null, null));
    expect(output).toMatchObject({ outcome: 'answer', answer: { status: 'refused', citations: [] } });
    expect(finder.searches).toEqual([{ wide: false }, { wide: true }]);
  });

  it('regenerates with the failing sentences named, twice at most', async () => {
    const writer = generator(wrong, wrong, right);
    const output = await run(retriever([covered]), writer);
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

  it('stays uncertain after three drafts that do not hold, and shows the best one marked', async () => {
    const output = await run(retriever([covered]), generator(wrong, wrong, wrong));
    expect(output).toMatchObject({
      outcome: 'answer',
      answer: { status: 'uncertain', verified: false, regenerations: 2, citations: ['URL-1'] },
    });
    if (output.outcome !== 'answer') return;
    const [quotes, frames] = output.answer.answer.split('\n\n');
    expect(quotes).toBe('Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr. [URL-1]');
    expect(frames).toMatch(/^Unsicher: .* 30 Werktage im Jahr\. Stand/u);
  });

  it('stays uncertain when the generator gives up on a draft that did not hold', async () => {
    const output = await run(retriever([covered]), generator(wrong, null));
    expect(output).toMatchObject({ outcome: 'answer', answer: { status: 'uncertain', regenerations: 1 } });
  });

  it('fails with the code of a fault of the generator', async () => {
    const output = await run(retriever([covered]), generator(new BelegError('SERVICE_UNAVAILABLE')));
    expect(output).toMatchObject({ outcome: 'failed', error: { code: 'SERVICE_UNAVAILABLE' } });
    expect(output.events.at(-1)).toEqual({
      type: 'AskFailed',
      data: { request_id: 'r-1', code: 'SERVICE_UNAVAILABLE' },
    });
  });

  it('fails as INTERNAL on anything unforeseen, with the cause kept for the log', async () => {
    const cause = new Error('secret path');
    const output = await run(retriever([covered]), generator(cause));
    expect(output).toMatchObject({ outcome: 'failed', error: { code: 'INTERNAL', cause } });
    const broken: Draft = { sentences: [{ kind: 'statement', text: 'x', citations: null as never }] };
    const inStep = await run(retriever([covered]), generator(broken));
    expect(inStep).toMatchObject({ outcome: 'failed', error: { code: 'INTERNAL' } });
    expect(inStep.events.at(-1)!.type).toBe('AskFailed');
  });

  it('fails when the search fails', async () => {
    const finder = {
      ...retriever([covered]),
      search: () => Promise.reject(new BelegError('INDEX_NOT_READY')),
    };
    expect(await run(finder, generator(right))).toMatchObject({
      outcome: 'failed',
      error: { code: 'INDEX_NOT_READY' },
    });
  });

  it('ends at once when aborted, before or during the work, and aborts the generator', async () => {
    expect(await run(retriever([covered]), generator(right), AbortSignal.abort())).toMatchObject({
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
    const output = await run(retriever([covered]), slow, abort.signal);
    await aborted;
    expect(output).toMatchObject({ outcome: 'failed', error: { code: 'OVERLOADED' } });
    expect(types(output.events)).toEqual(['QuestionAsked', 'PassagesRetrieved', 'AskFailed']);
  });

  it('says the same for the same question', async () => {
    const outputs = await Promise.all([1, 2].map(() => run(retriever([covered]), generator(wrong, right))));
    expect(outputs[0]).toEqual(outputs[1]);
  });
});
