import type { z } from 'zod';
import type * as knowledge from '../../../events/messages/knowledge.ts';
import type { HealthResponse } from './health.ts';

const TEXT_HASH = '3f1c8d6a0b5e47f29d2c6b8e1a4f7093c5d8e2b6f9a1c4d7e0b3a6f9c2d5e8b1';

/** Examples of the OpenAPI document; typed, so that they cannot drift from the schemas. */
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
      work: 'EntgFG',
      url: 'https://www.gesetze-im-internet.de/entgfg/__3.html',
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
    suggestions: ['Gesetzlicher Mindestlohn 2022'],
    relevance: null,
  },
} satisfies knowledge.AskResponse;

const UNCOVERED =
  'Dazu wurde in der Wissensbasis keine Antwort gefunden: „Und wie viel verdient der Nachbar“.';

/** A planned answer: a paragraph for each part that is covered, and what is not. */
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

/** What is sent for a review: no personal data, names of figures and their values. */
export const REVIEW = {
  question: 'Entspricht der Stundenlohn im März 2022 dem Mindestlohn?',
  mode: 'review',
  context: {
    facts: [{ key: 'stundenlohn', value: '9,60 €', note: 'März 2022' }],
    computation: {
      label: 'Bruttolohn März 2022',
      result: '1.564,80 €',
      basis: '160 Stunden zum Stundenlohn und eine Zulage',
      components: [
        { key: 'grundlohn', value: '1.536,00 €' },
        { key: 'zulage', value: '28,80 €' },
      ],
    },
  },
} satisfies z.input<typeof knowledge.AskRequest>;

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

/** Its answer: first what was not checked, at the end the section with the checks. */
export const REVIEWED = {
  ...ANSWERED,
  request_id: '2148b353-1efb-47e6-8edc-8d15f589e353',
  question: REVIEW.question,
  answer: [
    NOT_CHECKED.map(({ fact, reason }) => `Nicht geprüft: ${fact}. ${reason}`).join('\n'),
    `${WAGE} [ML-HOEHE-2022]`,
    'Die zitierten Angaben gelten für: 2022. Rechtsstand der Wissensbasis: März 2022.',
    `Plausibilitätsprüfung:\n⚠ ${CHECKS[0].aspect}: ${CHECKS[0].detail}\n✓ ${CHECKS[1].aspect}: ${CHECKS[1].detail}`,
  ].join('\n\n'),
  citations: ['ML-HOEHE-2022'],
  sources: [
    {
      id: 'ML-HOEHE-2022',
      title: 'Gesetzlicher Mindestlohn 2022',
      section: '§ 1 Nr. 3 und 4 MiLoV3',
      stand: '2020-11',
      work: 'MiLoV3',
      url: null,
      quotes: [{ start: 0, end: 88, decisive: true }],
      text_hash: TEXT_HASH,
    },
  ],
  answer_type: 'review',
  grounding: { ...ANSWERED.grounding, data_scope: 'knowledge_base_plus_review_context' },
  mode: 'review',
  plausibility: {
    verdict: 'implausible',
    checks: CHECKS.map(({ source_ids, ...check }) => ({ ...check, source_ids: [...source_ids] })),
    not_checked: NOT_CHECKED,
  },
} satisfies knowledge.AskResponse;

export const SOURCE_TEXT = {
  id: 'EntgFG-3',
  title: 'Anspruch auf Entgeltfortzahlung im Krankheitsfall',
  section: '§ 3 Abs. 1',
  stand: '2022-03',
  work: 'EntgFG',
  url: 'https://www.gesetze-im-internet.de/entgfg/__3.html',
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

export const HEALTHY = {
  status: 'ok',
  api_version: 'v1',
  version: '0.1.0',
  index: {
    ready: true,
    passages: 412,
    built_at: '2026-01-15T08:00:00.000Z',
    files: { read: 160, left_out: 0 },
  },
  model: {
    name: 'extractive',
    ready: true,
    state: 'ready',
    since: '2026-01-15T08:00:00.000Z',
    reason: null,
    verifier: null,
    reranker: null,
  },
  base: {
    title: 'Lohn und Gehalt in Deutschland',
    as_of: '2022-03',
    topics: ['Urlaub', 'Kündigung'],
    questions: ['Wie viele Urlaubstage stehen mir im Jahr mindestens zu?'],
  },
  retrieval: 'lexical',
  audit: { enabled: true, ready: true, keys_missing: 0, set_aside: 0, spooled: 0, lost: 0 },
  followers: [{ name: 'audit', seconds: 0, events: 0, behind: false }],
  review_mode: false,
} satisfies z.output<typeof HealthResponse>;
