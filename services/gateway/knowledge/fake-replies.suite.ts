import type { z } from 'zod';
import type * as audit from '../../../events/messages/audit.ts';
import type * as knowledge from '../../../events/messages/knowledge.ts';
import { SENT } from './example-requests.ts';

const TEXT_HASH = '3f1c8d6a0b5e47f29d2c6b8e1a4f7093c5d8e2b6f9a1c4d7e0b3a6f9c2d5e8b1';

/** Replies of fake services; typed, so that they cannot drift from the schemas. */
export const ANSWERED = {
  api_version: 'v1',
  request_id: '7d9f3c1e-0b43-4a51-9a53-5f0f8c1e2b6d',
  status: 'answered',
  question: 'Wie lange wird das Entgelt bei Krankheit fortgezahlt?',
  answer:
    'Der Anspruch auf Entgeltfortzahlung im Krankheitsfall besteht für die Zeit der Arbeitsunfähigkeit bis zur Dauer von sechs Wochen [EntgFG-3].',
  refused: false,
  verified: true,
  citations: ['EntgFG-3'],
  sources: [
    {
      id: 'EntgFG-3',
      title: 'Anspruch auf Entgeltfortzahlung im Krankheitsfall',
      section: '§ 3 Abs. 1',
      stand: '2022-03',
      dated: true,
      work: 'EntgFG',
      url: 'https://www.gesetze-im-internet.de/entgfg/__3.html',
      path: null,
      page: null,
      quotes: [{ start: 0, end: 139, decisive: true }],
      text_hash: TEXT_HASH,
    },
  ],
  conflicts: [],
  assumptions: [],
  alternatives: [],
  clarification_question: null,
  answer_type: 'specific',
  planned: false,
  planned_queries: [],
  grounding: {
    data_scope: 'knowledge_base_only',
    citations_verified: true,
    context_count: 8,
    regenerations: 0,
    uncovered: null,
    parts: [],
    suggestions: [],
    as_of: '2022-03',
    relevance: 0.93,
  },
  n_context: 8,
  model: 'extractive',
  latency_ms: 12,
  regenerations: 0,
  ratings_enabled: true,
  mode: 'knowledge',
} satisfies knowledge.AskResponse;

export const REFUSED = {
  ...ANSWERED,
  request_id: '0c6a5a3e-7d4c-4a2d-8f5e-1f0a6b7c8d9e',
  status: 'refused',
  question: 'Wie hoch ist der Mindestlohn auf dem Mars?',
  answer:
    'Dazu enthält die Wissensbasis keine Quelle; ohne Quelle gibt es keine Antwort. Nicht gefunden: „Mars“. Am nächsten kommen: „Gesetzlicher Mindestlohn 2022“.',
  refused: true,
  verified: false,
  citations: [],
  sources: [],
  answer_type: 'refusal',
  grounding: {
    ...ANSWERED.grounding,
    citations_verified: false,
    parts: [],
    suggestions: ['Gesetzlicher Mindestlohn 2022'],
    relevance: null,
  },
} satisfies knowledge.AskResponse;

const UNCOVERED =
  'Dazu wurde in der Wissensbasis keine Antwort gefunden: „Und wie viel verdient der Nachbar“.';

/** A planned answer: a paragraph for each covered part, and the parts that are not covered. */
export const PLANNED = {
  ...ANSWERED,
  request_id: 'b1a7c2d4-5e6f-4a3b-8c9d-1e2f3a4b5c6d',
  question: 'Wie lange wird das Entgelt bei Krankheit fortgezahlt? Und wie viel verdient der Nachbar?',
  answer: `${ANSWERED.answer}\n\n${UNCOVERED} Rechtsstand der Wissensbasis: März 2022.`,
  answer_type: 'overview',
  planned: true,
  planned_queries: [
    'Wie lange wird das Entgelt bei Krankheit fortgezahlt? Und wie viel verdient der Nachbar?',
    'Wie lange wird das Entgelt bei Krankheit fortgezahlt?',
    'Und wie viel verdient der Nachbar?',
  ],
  grounding: { ...ANSWERED.grounding, uncovered: UNCOVERED },
} satisfies knowledge.AskResponse;

const WAGE = 'Ab dem 1. Januar 2022 beträgt der gesetzliche Mindestlohn 9,82 Euro brutto je Zeitstunde.';
const CHECKS = [
  {
    status: 'warn',
    aspect: 'stundenlohn',
    detail: `Angegeben: 9,60 €; richtig: mindestens 9,82 € (März 2022). Fundstelle: „${WAGE}“ [ML-HOEHE-2022]`,
    source_ids: ['ML-HOEHE-2022'],
  },
  {
    status: 'ok',
    aspect: 'Rechnung (Bruttolohn März 2022)',
    detail: 'Die Bestandteile ergeben das angegebene Ergebnis: 1.536,00 € + 28,80 € = 1.564,80 €.',
    source_ids: [],
  },
] as const;

const NOT_CHECKED = [
  { fact: 'grundlohn', reason: 'Für die Prüfung fehlt: arbeitsstunden.' },
  { fact: 'zulage', reason: 'Geprüft wurde nur, ob die Summe der Bestandteile stimmt.' },
];

/** The answer to a review: first what was not checked, at the end the section with the checks. */
export const REVIEWED = {
  ...ANSWERED,
  request_id: '2148b353-1efb-47e6-8edc-8d15f589e353',
  question: SENT.review.question,
  answer: [
    NOT_CHECKED.map(({ fact, reason }) => `Nicht geprüft: ${fact}. ${reason}`).join('\n'),
    `${WAGE} [ML-HOEHE-2022]`,
    'Die zitierten Angaben gelten für: 2022. Rechtsstand der Wissensbasis: März 2022.',
    `Plausibilitätsprüfung:\n${CHECKS.length} von ${CHECKS.length + NOT_CHECKED.length} Angaben geprüft.\n⚠ ${CHECKS[0].aspect}: ${CHECKS[0].detail}\n✓ ${CHECKS[1].aspect}: ${CHECKS[1].detail}`,
  ].join('\n\n'),
  citations: ['ML-HOEHE-2022'],
  sources: [
    {
      id: 'ML-HOEHE-2022',
      title: 'Gesetzlicher Mindestlohn 2022',
      section: '§ 1 Nr. 3 und 4 MiLoV3',
      stand: '2020-11',
      dated: true,
      work: 'MiLoV3',
      url: null,
      path: null,
      page: null,
      quotes: [{ start: 0, end: 88, decisive: true }],
      text_hash: TEXT_HASH,
    },
  ],
  answer_type: 'review',
  grounding: { ...ANSWERED.grounding, data_scope: 'knowledge_base_plus_review_context' },
  mode: 'review',
  plausibility: {
    verdict: 'implausible',
    coverage: { checked: CHECKS.length, of: CHECKS.length + NOT_CHECKED.length },
    checks: CHECKS.map(({ source_ids, ...check }) => ({ ...check, source_ids: [...source_ids] })),
    not_checked: NOT_CHECKED,
  },
} satisfies knowledge.AskResponse;

export const SOURCE_TEXT = {
  id: 'EntgFG-3',
  title: 'Anspruch auf Entgeltfortzahlung im Krankheitsfall',
  section: '§ 3 Abs. 1',
  stand: '2022-03',
  dated: true,
  work: 'EntgFG',
  url: 'https://www.gesetze-im-internet.de/entgfg/__3.html',
  path: null,
  page: null,
  year: null,
  text: 'Der Anspruch auf Entgeltfortzahlung im Krankheitsfall besteht für die Zeit der Arbeitsunfähigkeit bis zur Dauer von sechs Wochen.',
  text_hash: TEXT_HASH,
} satisfies knowledge.SourceText;

export const VOCABULARY = {
  quantities: [
    {
      key: 'stundenlohn',
      spellings: ['std_lohn', 'stundensatz'],
      english: ['hourly_wage'],
      kind: 'amount',
      unit: 'EUR',
      period: 'hour',
      party: 'employee',
      applies_to: 'Arbeitnehmer mit Anspruch auf Mindestlohn, nicht Auszubildende',
      choices: null,
      otherwise: null,
      explanation: 'Bruttolohn für eine Arbeitsstunde.',
      rules: [
        {
          rule: 'mindestlohn',
          demands: ['at_least'],
          times: [{ from: '2019-01', to: '2022-09' }],
          needs: [],
          regards: ['auszubildend', 'mindestlohn_ausnahme', 'minderjaehrig', 'alter', 'geburtsdatum'],
        },
      ],
    },
  ],
} satisfies knowledge.Vocabulary;

export const REINDEXED = {
  status: 'reindexed',
  passages: 412,
  sources: 160,
  added: 1,
  changed: 2,
  removed: 0,
  duration_ms: 640,
  built_at: '2026-01-15T08:00:00.000Z',
  left_out: [],
} satisfies z.output<typeof knowledge.ReindexResponse>;

const STREAM = `ask-${ANSWERED.request_id}`;
const CALL = '3f0c8f0e-52f5-4f5e-9d0e-6a1f5b0c7d11';
const ROOT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const INTERACTION = {
  request_id: ANSWERED.request_id,
  at: '2026-01-15T08:00:00.012Z',
  question: ANSWERED.question,
  answer: ANSWERED.answer,
  status: 'answered',
  verified: true,
  answer_type: 'specific',
  mode: 'knowledge',
  verdict: null,
  conflicts: 0,
  citations: ANSWERED.citations,
  model: 'extractive',
  latency_ms: 12,
  answers: 1,
  rating: { rating: 'up', feedback: 'Genau das habe ich gesucht.', at: '2026-01-15T08:01:30.000Z' },
  comments: [
    { comment_id: 1, comment: 'Bitte auch auf § 3 Abs. 3 hinweisen.', at: '2026-01-15T08:02:00.000Z' },
  ],
  erased_at: null,
} satisfies z.output<typeof audit.Interaction>;

export const SHOWN = {
  interaction: INTERACTION,
  story: {
    id: ANSWERED.request_id,
    kind: 'ask',
    streams: [STREAM],
    machine: {
      name: 'ask',
      initial: 'asked',
      states: [
        { name: 'asked', final: false },
        { name: 'answered', final: true },
      ],
      transitions: [{ from: 'asked', to: 'answered', event: 'AnswerGiven', taken: 1 }],
      path: ['asked', 'answered'],
    },
    entries: [
      {
        at: '2026-01-15T08:00:00.000Z',
        after_ms: 0,
        stream: STREAM,
        revision: 0,
        event: 'QuestionAsked',
        id: '0d3b0a52-6f0e-8c43-a0c2-6d2a5c1b7e90',
        state: 'asked',
        correlation_id: ANSWERED.request_id,
        causation_id: CALL,
        data: { question: ANSWERED.question, language: 'de', mode: 'knowledge', top_k: 8 },
      },
      {
        at: '2026-01-15T08:00:00.012Z',
        after_ms: 12,
        stream: STREAM,
        revision: 1,
        event: 'AnswerGiven',
        id: '7c1a9e44-3b2d-8f10-9e6b-2f4c8d0a1b35',
        state: 'answered',
        correlation_id: ANSWERED.request_id,
        causation_id: CALL,
        data: { status: 'answered', answer: ANSWERED.answer, citations: ANSWERED.citations },
      },
    ],
    omitted: 0,
  },
  chain: { stream: STREAM, whole: true, events: 2, faults: [] },
} satisfies z.output<(typeof audit.ShowInteraction)['reply']>;

export const CHECKPOINT = {
  size: 1_000,
  root: ROOT,
  note: `beleg/1f0c2a7be6d94c35\n1000\nn4bQgYhMfWWaL+qgxVrQFaO/TxsrC4IsxV1sFbDwCgg=\nheads RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=\n\n`,
  repeated: false,
} satisfies z.output<(typeof audit.MakeCheckpoint)['reply']>;

export const RECORD = {
  checkpoint: { size: CHECKPOINT.size, root: ROOT, at: '2026-01-15T08:05:00.000Z', key: null },
  erased: 3,
} satisfies z.output<(typeof audit.RecordStatus)['reply']>;
