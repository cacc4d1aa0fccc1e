import { describe, expect, it } from 'vitest';
import type { Source } from '../../kb/source.ts';
import type { Hit } from '../../kb/hit.ts';
import type { Match } from '../../kb/ranking/fit.ts';
import type { Retriever } from '../../kb/answer/ports.ts';
import { askQuoting } from '../../testing/ask-quoting.ts';

const sourceOf = (id: string, title: string, section: string, text: string): Source => ({
  id,
  title,
  section,
  stand: '2022-03',
  work: 'Test',
  lang: 'de',
  year: null,
  text,
});
const holiday = sourceOf('URL', 'Urlaub', '§ 3 BUrlG', 'Der Urlaub beträgt jährlich mindestens 24 Werktage.');
const wage = sourceOf('ML', 'Mindestlohn', '§ 1 MiLoG', 'Der Mindestlohn beträgt 9,82 Euro je Stunde.');
const hitOf = (source: Source): Hit => ({
  source,
  score: 1,
  passages: [{ source, text: source.text, start: 0 }],
  referenced: false,
});

/** Finds a source by its title in the query; a part that names none is found by all of the question. */
const retriever: Retriever & { searches: string[] } = {
  searches: [],
  hash: 'abc',
  search(query, { among }) {
    if (among === undefined) this.searches.push(query);
    const found = [holiday, wage].filter(
      ({ title, section }) => query.includes(title) || query.includes(section),
    );
    const hits = found.map(hitOf);
    return Promise.resolve(hits.length === 0 && !/Kinder|Eltern/u.test(query) ? (among ?? []) : hits);
  },
  coverage: (query, hits) => ({
    value: hits.length > 0 ? 1 : 0,
    relevance: 0.9,
    otherYears: null,
    covered: hits.length > 0,
    missing: hits.length > 0 ? [] : [query],
  }),
  languages: ['de', 'en'],
  about: { asOf: '2022-03', law: true },
  source: (id) => [holiday, wage].find((source) => source.id === id),
};

async function ask(question: string) {
  retriever.searches.length = 0;
  const output = await askQuoting(retriever, question);
  if (output.outcome === 'failed') throw output.error;
  return output.answer;
}

/** Asks, while the passage on holiday has only the relevance `ofHoliday`. */
async function askUnsure(question: string, ofHoliday = 0.45) {
  const unsure: Retriever = {
    ...retriever,
    coverage: (query, hits) => ({
      ...retriever.coverage(query, hits),
      relevance: hits[0]?.source === wage ? 0.9 : ofHoliday,
    }),
  };
  const output = await askQuoting(unsure, question);
  return output.outcome === 'answer' ? output.answer : null;
}

const documentOf = (id: string, path: string, text: string): Source => ({
  ...sourceOf(id, id, 'Wahl', text),
  path,
  units: [{ kind: 'paragraph', start: 0, end: text.length, lead: null }],
});

const BOTH = 'Wie hoch ist der Mindestlohn und wie viele Werktage beträgt der Urlaub?';
const ONE = 'Wie hoch ist der Mindestlohn und wer zahlt das Kindergeld aus?';

/** A passage that has these words of a question to this degree. */
const foundBy = (source: Source, ...words: [string, number][]): Hit => ({
  ...hitOf(source),
  match: {
    kind: 'document',
    share: 0.5,
    words: words.map(([text]) => ({ text, folded: text, weight: 0.5 })),
    found: words.map(([, value]) => value),
  } as unknown as Match,
});

describe('a question of several parts', () => {
  it('is answered part by part, each with its source', async () => {
    const answer = await ask(BOTH);
    expect(answer).toMatchObject({
      status: 'answered',
      verified: true,
      answer_type: 'overview',
      citations: ['ML', 'URL'],
      planned_queries: [BOTH, 'Wie hoch ist der Mindestlohn', 'wie viele Werktage beträgt der Urlaub?'],
    });
    expect(answer.answer.split('\n\n')).toEqual([
      'Der Mindestlohn beträgt 9,82 Euro je Stunde. [ML]',
      'Der Urlaub beträgt jährlich mindestens 24 Werktage. [URL]',
      'Rechtsstand der Wissensbasis: März 2022.',
    ]);
  });

  it('is answered by the provision that each part names', async () => {
    const answer = await ask('Was steht in § 1 MiLoG und § 3 BUrlG?');
    expect(answer.answer.split('\n\n').slice(0, 2)).toEqual([
      'Der Mindestlohn beträgt 9,82 Euro je Stunde. [ML]',
      'Der Urlaub beträgt jährlich mindestens 24 Werktage. [URL]',
    ]);
  });

  it('says which part the base does not cover, and answers the other', async () => {
    const answer = await ask(ONE);
    expect(answer).toMatchObject({ status: 'answered', verified: true, citations: ['ML'] });
    expect(answer.answer).toBe(
      'Der Mindestlohn beträgt 9,82 Euro je Stunde. [ML]\n\n' +
        'Dazu wurde in der Wissensbasis keine Antwort gefunden: „wer zahlt das Kindergeld aus“. Rechtsstand der Wissensbasis: März 2022.',
    );
    expect(retriever.searches.slice(0, 3)).toEqual([
      ONE,
      'Wie hoch ist der Mindestlohn',
      'wer zahlt das Kindergeld aus?',
    ]);
  });

  it('is searched for without the greeting and the closing of a letter', async () => {
    const answer = await ask(
      `Sehr geehrte Damen und Herren,\n${BOTH}\nMit freundlichen Grüßen\nPetra Müller`,
    );
    expect(answer).toMatchObject({ status: 'answered', citations: ['ML', 'URL'] });
    expect(answer.planned_queries[0]).toBe(BOTH);
  });

  it.each([
    'Wie hoch ist der Mindestlohn, und wer zahlt das Kindergeld aus? Wie viele Werktage beträgt der Urlaub?',
    'Wer zahlt das Kindergeld aus? Wie hoch ist der Mindestlohn? Wie viele Werktage beträgt der Urlaub?',
  ])('is searched for each question of its own, whatever the others are: %s', async (question) => {
    const answer = await ask(question);
    expect(answer).toMatchObject({ status: 'answered', citations: ['ML', 'URL'] });
    expect(retriever.searches).toContain('Wie viele Werktage beträgt der Urlaub?');
  });

  it('looks for a later part that leans on another among what it found for both', async () => {
    const answer = await ask('Wie viel Urlaub habe ich und wie lange hält er?');
    expect(answer).toMatchObject({ status: 'answered', citations: ['URL'] });
    expect(answer.answer).not.toContain('keine Antwort');
  });

  it('does not say that a later part is open which only asks who does what the part before it is about', async () => {
    const open: Retriever = {
      ...retriever,
      coverage: (query, hits) => ({ ...retriever.coverage(query, hits), covered: !query.includes('zahlt') }),
    };
    const answerTo = async (question: string) => {
      const output = await askQuoting(open, question);
      return output.outcome === 'answer' ? output.answer?.answer : null;
    };
    expect(await answerTo('Wie hoch ist der Mindestlohn und wer zahlt ihn?')).toBe(
      'Der Mindestlohn beträgt 9,82 Euro je Stunde. [ML]\n\nRechtsstand der Wissensbasis: März 2022.',
    );
    expect(await answerTo('Wie hoch ist der Mindestlohn und wer zahlt dann die Kaution?')).toContain(
      'keine Antwort gefunden: „wer zahlt dann die Kaution“',
    );
  });

  it('says that a later part which asks for a figure is open where nothing found has one', async () => {
    const answer = await ask('Wie hoch ist der Mindestlohn und wie lange gilt er?');
    expect(answer).toMatchObject({ status: 'answered', citations: ['ML'] });
    expect(answer.answer).toContain('keine Antwort gefunden: „wie lange gilt er“.');
    const both = await ask('Wie hoch ist der Mindestlohn und wie viel Geld ist er?');
    expect(both.answer).not.toContain('keine Antwort');
  });

  describe('with a part that is less surely covered', () => {
    it('tells it, as if it were asked alone, and says which one is open', async () => {
      const answer = await askUnsure(
        'Wie hoch ist der Mindestlohn, wie viele Werktage beträgt der Urlaub und wer zahlt das Kindergeld aus?',
      );
      expect(answer).toMatchObject({ status: 'answered', citations: ['ML', 'URL'] });
      expect(answer?.answer).toContain('keine Antwort gefunden: „wer zahlt das Kindergeld aus“.');
    });

    it.each([
      [0.7, 'refused'],
      [0.9, 'answered'],
    ])('that leans on one that is open, it is told at %f: %s', async (relevance, status) => {
      const question = 'Wer zahlt das Kindergeld aus und wie viele Werktage Urlaub gibt es da?';
      await expect(askUnsure(question, relevance)).resolves.toMatchObject({ status });
    });
  });

  it('is answered by another section of the page that answers the part before it', async () => {
    const [sign, push, other] = [
      ['Schlüssel erzeugen', 'bau.md', 'Den Schlüssel erzeugt das Werkzeug.'],
      ['Auf den Server schieben', 'bau.md', 'Mit einem Befehl kommt alles auf den Server.'],
      ['Schieben', 'spiel.md', 'Das Spiel kennt Ziehen und Schieben.'],
    ].map(([title, path, text]): Source => ({
      ...sourceOf(title!, title!, 'Bauen', text!),
      path: path!,
      units: [{ kind: 'paragraph', start: 0, end: text!.length, lead: null }],
    })) as [Source, Source, Source];
    const askAbout = async (shove: number) => {
      const hits = [
        foundBy(other, ['wohin', 0], ['schiebe', 1]),
        foundBy(push, ['wohin', 0], ['schiebe', shove]),
      ];
      const output = await askQuoting(
        {
          ...retriever,
          search: (query) =>
            Promise.resolve(query.startsWith('Wie') ? [foundBy(sign, ['schlüssel', 1])] : hits),
          coverage: (query) => ({
            value: 1,
            relevance: 0.5,
            otherYears: null,
            covered: !query.includes('schiebe'),
            missing: [],
          }),
          source: (id) => [sign, push, other].find((source) => source.id === id),
        },
        'Wie erzeuge ich einen Schlüssel und wohin schiebe ich das Paket?',
      );
      return output.outcome === 'answer' ? output.answer.citations : [];
    };
    await expect(askAbout(1)).resolves.toEqual([sign.id, push.id]);
    await expect(askAbout(0)).resolves.toEqual([sign.id]);
  });

  describe('to documents', () => {
    const how = documentOf('Antrag', 'wahl.md', 'Briefwahl beantragt man beim Wahlleiter.');
    const until = documentOf('Fristen', 'wahl.md', 'Der Antrag ist bis zum 3. Mai zu stellen.');
    const other = documentOf('Kosten', 'geld.md', 'Ein Antrag auf Geld ist formlos.');
    const all = [how, until, other];
    /** Finds these for the first part, and those for each other query; `alone` is covered alone. */
    const asking = async (question: string, found: readonly Source[], alone: readonly Source[] = []) => {
      const output = await askQuoting(
        {
          ...retriever,
          search: (query, { among }) =>
            Promise.resolve(
              (query.startsWith('Wie') && among === undefined && !query.includes('?')
                ? [how]
                : alone.length > 0 && among === undefined && !query.startsWith('Wie')
                  ? alone
                  : found
              ).map(hitOf),
            ),
          coverage: () => ({ value: 1, relevance: 0.9, otherYears: null, covered: true, missing: [] }),
          source: (id) => all.find((source) => source.id === id),
        },
        question,
      );
      return output.outcome === 'answer' ? output.answer : null;
    };

    it.each<[string, string, readonly Source[], string[], boolean]>([
      ['has a time', 'Wie beantrage ich Briefwahl und bis wann?', [how, until], [how.id, until.id], true],
      ['has none', 'Wie beantrage ich Briefwahl und bis wann?', [how, other], [how.id], false],
      [
        'only asks what comes then',
        'Wie beantrage ich Briefwahl und was passiert dann?',
        [how, until],
        [how.id],
        false,
      ],
    ])(
      'a part that leans on another one is covered where what is told for it %s',
      async (_, question, found, citations, covered) => {
        const answer = await asking(question, found);
        expect(answer).toMatchObject({ citations });
        expect(answer?.parts.map((part) => part.covered)).toEqual([true, covered]);
      },
    );

    it('a part is covered by what is told for the question that it leans on, where a sentence of that has its figure', async () => {
      const [text, question] = [
        'Zwei Prüfer werden für zwei Jahre gewählt.',
        'Wie viele Prüfer werden gewählt und für wie lange?',
      ];
      const auditors = documentOf('Prüfer', 'wahl.md', text);
      const elected = await askQuoting(
        {
          ...retriever,
          search: (query) =>
            Promise.resolve([query.startsWith('Wie') && !query.includes('?') ? auditors : until].map(hitOf)),
          coverage: () => ({ value: 1, relevance: 0.9, otherYears: null, covered: true, missing: [] }),
          source: (id) => [auditors, until].find((source) => source.id === id),
        },
        question,
      );
      expect(elected).toMatchObject({
        answer: { citations: [auditors.id], parts: [{ covered: true }, { covered: true }] },
      });
    });

    it('a part of one word is answered by the page of the part before it', async () => {
      const answer = await asking('Wie beantrage ich Briefwahl und was ist ein Antrag?', [until], [other]);
      expect(answer?.citations).toEqual([how.id, until.id]);
    });
  });

  it('is not asked back what it means', async () => {
    const [travel, move] = ['Reisen', 'Umzug'].map((of) =>
      sourceOf(of, `Pauschale für ${of}`, '§ 1', `Die Pauschale für ${of} gilt ab 2022 und beträgt 20 Euro.`),
    ) as [Source, Source];
    const pauschal: Retriever = {
      ...retriever,
      search: () => Promise.resolve([travel, move].map(hitOf)),
      source: (id) => [travel, move].find((source) => source.id === id),
    };
    const asked = async (question: string) => {
      const output = await askQuoting(pauschal, question);
      return output.outcome === 'answer' && output.answer.clarification_question;
    };
    await expect(asked('Wie hoch ist die Pauschale?')).resolves.toMatch(/^Was ist gemeint/u);
    await expect(asked('Wie hoch ist die Pauschale und ab wann gilt sie?')).resolves.toBeNull();
  });

  it('is refused where no part of it is covered', async () => {
    const answer = await ask('Wer zahlt das Kindergeld aus und wo wird das Elterngeld beantragt?');
    expect(answer).toMatchObject({ status: 'refused', answer_type: 'refusal', citations: [], sources: [] });
  });
});
