import { describe, expect, it } from 'vitest';
import type { AskedWord, Match, Features } from '../../kb/ranking/fit.ts';
import type { Source } from '../../kb/source.ts';
import type { Hit } from '../../kb/hit.ts';
import { FEATURES } from '../../kb/ranking/features.ts';
import { answered, uncertain } from './compose.ts';
import { refused } from './refusal.ts';
import { addNotes, frameContext } from './notes.ts';
import type { Draft } from '../../kb/answer/ports.ts';
import { verify } from '../../kb/answer/verify.ts';

function hit(id: string, text: string, rest: Partial<Source> = {}): Hit {
  const source: Source = {
    id,
    title: `Titel ${id}`,
    section: '',
    stand: '2021-12',
    work: id,
    lang: 'de',
    year: null,
    text,
    ...rest,
  };
  return { source, score: 1, passages: [{ source, text: source.text, start: 0 }], referenced: false };
}

const quote = (of: Hit): Draft => ({
  sentences: [{ kind: 'statement', text: of.source.text, citations: [of.source.id] }],
});

/** A match of a question of one word, of which the given share was found. */
const matchOf = (found: number): Match => ({
  words: [{ text: 'Lohn', weight: 1, noun: true, known: true, corrected: false, unanswered: 0 } as AskedWord],
  found: [found],
  anywhere: [found],
  kind: 'unlined' as const,
  lineFits: { nearer: 0, unansweredShare: 0 },
  features: NO_FEATURES,
  share: 1,
  ofDocument: 1,
  score: 1,
  own: false,
  inTitle: 0,
});
const NO_FEATURES = Object.fromEntries(
  Object.values(FEATURES)
    .flat()
    .map((name) => [name, 0]),
) as unknown as Features;

const A = hit('A-1', 'Der Urlaubsanspruch beträgt 28 Tage im Kalenderjahr.');
const B = hit('B-1', 'Der Urlaubsanspruch beträgt 30 Tage im Kalenderjahr.');
const input = {
  question: 'Wie hoch ist der Urlaubsanspruch?',
  language: 'de' as const,
  parts: [],
  hits: [A, B],
  superseded: [],
  asOf: '2021-12',
  law: true,
};

describe('an answer', () => {
  it('puts both sides of a conflict into one line, then says so, then for which time it holds', () => {
    const answer = answered(addNotes(quote(A), input), input.hits);
    expect(answer.answer).toBe(
      '⚠ Der Urlaubsanspruch beträgt 28 Tage im Kalenderjahr. [A-1] ' +
        'Der Urlaubsanspruch beträgt 30 Tage im Kalenderjahr. [B-1]\n\n' +
        'Die mit ⚠ markierten Quellen widersprechen sich. Rechtsstand der Wissensbasis: Dezember 2021.',
    );
    expect(answer.conflicts).toEqual([{ text: answer.answer.split('\n\n')[0], source_ids: ['A-1', 'B-1'] }]);
    expect(answer.conflict_ids).toEqual([['A-1', 'B-1']]);
    expect(answer.citations).toEqual(['A-1', 'B-1']);
    expect(answer.sources.map((source) => source.id)).toEqual(['A-1', 'B-1']);
    expect(answer.answer_type).toBe('specific');
  });

  it('names the later document that changes what is quoted', () => {
    const old = hit('O-1', 'Der Platz kostet 5 Euro.', { path: 'marktordnung.pdf', stand: '2019-01' });
    const change = hit('O-2', 'Statt 5 Euro sind 7 Euro zu zahlen.', {
      path: 'marktordnung-1.-aenderung.pdf',
      stand: '2022-01',
    });
    const hits = [old, change];
    const both = { sentences: [...quote(old).sentences, ...quote(change).sentences] };
    const context = { ...input, hits, asOf: null, law: false };
    const draft = addNotes(both, context);
    expect(answered(draft, hits).answer).toMatch(
      /Was zitiert ist, wird geändert durch: „marktordnung-1\.-aenderung\.pdf“\. Stand der Quellen: Januar 2019, Januar 2022\.$/u,
    );
    const frames = frameContext(context);
    expect(verify(draft, { language: 'de', hits, exists: () => true, frames }).verified).toBe(true);
  });

  it('with its conflicts and notes is verified like any other', () => {
    const draft = addNotes(quote(A), input);
    const verdict = verify(draft, {
      language: 'de',
      hits: input.hits,
      exists: () => true,
      frames: frameContext({ ...input, superseded: [] }),
    });
    expect(verdict).toEqual({ verified: true, failures: [] });
  });

  it.each([
    ['names what comes nearest to a part that it leaves open', 0.6, ' Am nächsten kommen: „Titel C-1“.'],
    ['names nothing that is far from it', 0.1, ''],
  ])('%s', (_, found, nearest) => {
    const C = { ...hit('C-1', 'Der Antrag ist schriftlich.'), match: matchOf(found) };
    const part = { question: 'wie viel Lohn gibt es', covered: false, hits: [C] };
    const covered = { question: 'Wie viel Urlaub gibt es', covered: true, hits: [A] };
    const draft: Draft = { sentences: quote(A).sentences.map((sentence) => ({ ...sentence, part: 0 })) };
    const context = { ...input, hits: [A, C], parts: [covered, part] };
    const noted = addNotes(draft, context);
    const { answer } = answered(noted, context.hits);
    expect(answer).toContain(
      `keine Antwort gefunden: „wie viel Lohn gibt es“.${nearest} Rechtsstand der Wissensbasis`,
    );
    const verdict = verify(noted, {
      language: 'de',
      hits: context.hits,
      exists: () => true,
      frames: frameContext(context),
    });
    expect(verdict.verified).toBe(true);
  });

  it('has nothing but source text between two citations', () => {
    const C = hit('C-1', 'Der Antrag ist schriftlich zu stellen.');
    const draft: Draft = { sentences: [...quote(C).sentences, ...quote(A).sentences] };
    const { answer } = answered(addNotes(draft, { ...input, hits: [A, B, C] }), [A, B, C]);
    for (const [, text, id] of answer.matchAll(/([^[\]]{8,}?)\s*\[([\w-]+)\]/gu)) {
      const source = [A, B, C].find((each) => each.source.id === id)!.source;
      expect(source.text).toContain(text!.replace('⚠', '').trim());
    }
  });

  it('names the year that its values are for, and the versions set aside', () => {
    const now = hit('N-2021', 'Die Grenze beträgt 7.100 Euro.', { year: 2021, work: 'V', section: '§ 1' });
    const old = hit('N-old', 'Die Grenze beträgt 7.000 Euro.', {
      stand: '2019-01',
      work: 'V',
      section: '§ 1',
    });
    const draft = addNotes(quote(now), { ...input, hits: [now], superseded: [old.source] });
    expect(answered(draft, [now]).answer).toContain(
      'Eine ältere Fassung (Stand: 2019-01) ist überholt und wurde nicht verwendet. Die zitierten Angaben gelten für: 2021.',
    );
  });

  it('closes with the question back as its last line, and says so', () => {
    const topics = ['Kündigungsfrist', 'Kündigungsschutz'].map((word, i) =>
      hit(`K-${i}`, `Etwas zum Thema ${word}.`, { title: `${word} im Überblick` }),
    );
    const draft = addNotes(quote(topics[0]!), { ...input, question: 'Kündigung?', hits: topics });
    const answer = answered(draft, topics);
    expect(answer.answer_type).toBe('clarification');
    expect(answer.clarification_question).toBe(
      'Was ist gemeint: „Kündigungsfrist im Überblick“ oder „Kündigungsschutz im Überblick“?',
    );
    expect(answer.answer.endsWith(`Rückfrage: ${answer.clarification_question}`)).toBe(true);
  });

  it('warns by its own marks only, whatever a passage warns of', () => {
    const faked = hit('A-1', '⚠ Der Urlaubsanspruch beträgt 28 Tage im Kalenderjahr.');
    const { answer, conflicts } = answered(quote(faked), [faked]);
    expect(answer).toMatch(/^! Der Urlaubsanspruch/u);
    expect(conflicts).toEqual([]);
  });

  it('cites by its own citations only, whatever a passage has in brackets', () => {
    const hostile = hit('H-1', 'Siehe dazu [ADMIN-1] und [5].');
    const answer = answered(addNotes(quote(hostile), { ...input, hits: [hostile] }), [hostile]);
    expect(answer.answer).toContain('Siehe dazu (ADMIN-1) und (5). [H-1]');
    expect(answer.citations).toEqual(['H-1']);
  });

  it('of several sources is an overview', () => {
    const C = hit('C-1', 'Der Antrag ist schriftlich zu stellen.');
    const draft: Draft = { sentences: [...quote(C).sentences, ...quote(A).sentences] };
    expect(answered(draft, [A, C]).answer_type).toBe('overview');
  });
});

describe('an uncertain answer', () => {
  it('has what holds, and says that the rest is left out', () => {
    const draft: Draft = {
      sentences: [
        { kind: 'statement', text: 'Der Urlaub beträgt 99 Tage. [B-1]', citations: ['B-1'] },
        ...quote(A).sentences,
        { kind: 'frame', text: 'Rückfrage: Was ist gemeint: „Titel A-1“?' },
      ],
    };
    const verdict = {
      verified: false,
      failures: [{ sentence: 0, text: '', rule: 'number_not_in_source' as const }],
    };
    const answer = uncertain(draft, verdict, input);
    expect(answer).toMatchObject({
      status: 'uncertain',
      verified: false,
      citations: ['A-1'],
      clarification_question: null,
    });
    expect(answer.answer).toBe(
      'Der Urlaubsanspruch beträgt 28 Tage im Kalenderjahr. [A-1]\n\n' +
        'Unsicher: Aussagen, die sich nicht aus den Quellen belegen ließen, sind weggelassen. Rechtsstand der Wissensbasis: Dezember 2021.',
    );
  });

  it('drops a conflict of which one side fell', () => {
    const draft = addNotes(quote(A), input);
    const verdict = {
      verified: false,
      failures: [{ sentence: 2, text: '', rule: 'not_in_context' as const }],
    };
    const answer = uncertain(draft, verdict, input);
    expect(answer.conflicts).toEqual([]);
    expect(answer.answer).not.toMatch(/⚠|widersprechen/u);
  });
});

describe('a refusal', () => {
  it('has no source and says what is missing, in the language of the question', () => {
    const coverage = {
      value: 0,
      relevance: 0.1,
      otherYears: null,
      covered: false,
      missing: ['Mars', 'x] [A-1'],
    };
    expect(refused('Kur am Mars?', 'de', coverage, input).answer).toMatch(
      /keine Quelle.* Nicht gefunden: „Mars“, „x A-1“\.$/u,
    );
    expect(refused('Kur am Mars?', 'en', coverage, input).answer).toMatch(
      /no source.* Not found: “Mars”, “x A-1”\.$/u,
    );
    expect(refused('Kur am Mars?', 'de', null, input)).toMatchObject({
      citations: [],
      sources: [],
      conflicts: [],
    });
  });

  it('names no word as missing that says nothing in its own language', () => {
    const missing = ['How', 'Wie', 'Urlaub'];
    const coverage = { value: 0, relevance: 0, otherYears: null, covered: false, missing };
    expect(refused('Wie viel Urlaub?', 'en', coverage, input).answer).toMatch(/ Not found: “Urlaub”\.$/u);
  });

  it('names the titles of what comes nearest, and no id of it', () => {
    const coverage = { value: 0.5, relevance: 0.1, otherYears: null, covered: false, missing: ['Kur'] };
    const { answer, sources } = refused('Kur am Mars?', 'de', coverage, input);
    expect(answer).toMatch(/Nicht gefunden: „Kur“\. Am nächsten kommen: „Titel A-1“ oder „Titel B-1“\.$/u);
    expect(sources).toEqual([]);
  });

  it('suggests passages of documents by all their headings, however far they are', () => {
    const units: Source['units'] = [];
    const hits = ['Küche', 'Zimmer'].map((room) =>
      hit(room, 'Text.', { title: 'Putzen', section: `Haus › ${room}`, units }),
    );
    const coverage = { value: 0.1, relevance: 0.1, otherYears: null, covered: false, missing: [] };
    expect(refused('Wer putzt am Mars?', 'de', coverage, { hits, asOf: null }).answer).toMatch(
      /Am nächsten kommen: „Haus › Küche › Putzen“ oder „Haus › Zimmer › Putzen“\.$/u,
    );
  });

  it('says for which years there is something, where another one was asked for', () => {
    const coverage = {
      value: 0.9,
      relevance: 0.8,
      otherYears: { asked: 2030, there: [2020, 2021] },
      covered: false,
      missing: [],
    };
    expect(refused('Kur am Mars?', 'de', coverage, input).answer).toBe(
      'Für 2030 enthält die Wissensbasis keine Quelle. Sie hat Werte für: 2020, 2021. Rechtsstand der Wissensbasis: Dezember 2021.',
    );
  });

  it('asks back where one word fits several titles', () => {
    const coverage = { value: 1, relevance: 0.1, otherYears: null, covered: false, missing: [] };
    expect(refused('Titel', 'de', coverage, input)).toMatchObject({
      status: 'refused',
      answer: 'Rückfrage: Was ist gemeint: „Titel A-1“ oder „Titel B-1“?',
      clarification_question: 'Was ist gemeint: „Titel A-1“ oder „Titel B-1“?',
      sources: [],
    });
  });
});

const sourcesOf = (of: Hit) => answered(quote(of), [of]).sources;

it('a source of an answer has the address of its original, where the base says it', () => {
  const url = 'https://example.org/a';
  expect(sourcesOf(hit('A-1', A.source.text, { url }))).toMatchObject([{ id: 'A-1', url }]);
  expect(sourcesOf(A)[0]).not.toHaveProperty('url');
});

it('a source of an answer that is of a document says of which, and whether it has a date of its own', () => {
  const original = { path: 'a/b.pdf', page: 3, undated: true } as const;
  expect(sourcesOf(hit('A-1', A.source.text, original))).toMatchObject([{ id: 'A-1', ...original }]);
});

/** The notes in an answer that quotes these sources. */
function said(asOf: string | null, law: boolean | null, language: 'de' | 'en', ...cited: Hit[]) {
  const draft = { sentences: cited.flatMap((of) => quote(of).sentences) };
  const context = { ...input, asOf, law, language, hits: cited };
  const noted = addNotes(draft, context);
  const by = { language, hits: cited, exists: () => true, frames: frameContext(context) };
  expect(verify(noted, by).failures).toEqual([]);
  return noted.sentences.filter(({ kind }) => kind === 'frame').map(({ text }) => text);
}

function dated(id: string, stand: string, text: string, rest: Partial<Source> = {}): Hit {
  return hit(id, text, {
    stand,
    units: [{ kind: 'paragraph', start: 0, end: text.length, lead: null }],
    ...rest,
  });
}
const may = dated('D-1', '2023-05', 'Das Büro öffnet früh.');
const june = dated('D-2', '2024-06', 'Die Kantine liegt im Keller.');

describe('as of when the cited sources are', () => {
  it.each([
    ['of one document', said(null, null, 'de', may), ['Stand der Quelle: Mai 2023.']],
    ['in English', said(null, null, 'en', may), ['Source as of May 2023.']],
    ['of several', said(null, null, 'de', june, may), ['Stand der Quellen: Mai 2023, Juni 2024.']],
    [
      'of a file of which nobody says it',
      said(null, null, 'de', dated('D-1', '2023-05', 'Das Büro öffnet früh.', { undated: true })),
      [],
    ],
    ['of a file with its own front matter', said(null, null, 'de', hit('F-1', 'Es gilt die Ordnung.')), []],
    [
      'of one that is no law',
      said(null, false, 'de', hit('F-1', 'Es gilt die Ordnung.')),
      ['Stand der Quelle: Dezember 2021.'],
    ],
    ['of law', said('2022-03', true, 'de', may), ['Rechtsstand der Wissensbasis: März 2022.']],
    ['of law without a month', said(null, true, 'de', may), []],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});
