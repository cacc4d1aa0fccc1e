import { inLanguage } from '../knowledge/languages.ts';
import { texts as shared, language } from '../knowledge/texts.ts';

const TEXTS = {
  opening: { de: 'Das Protokoll wird geöffnet …', en: 'Opening the record …' },
  keyMissing: { de: 'Bitte den Schlüssel eingeben.', en: 'Please enter the key.' },
  keyWrong: {
    de: 'Mit diesem Schlüssel lässt sich das Protokoll nicht öffnen.',
    en: 'This key does not give access to the record.',
  },
  keyNotSet: {
    de: 'Für das Protokoll ist kein Betreiberschlüssel eingerichtet: Der Dienst braucht PV_ADMIN_API_KEY.',
    en: 'No admin key is set for the record: the service needs PV_ADMIN_API_KEY.',
  },
  auditDisabled: {
    de: 'Es gibt nichts zu zeigen: Der Dienst zeichnet erst auf, wenn er mit PV_AUDIT_ENABLED=true läuft.',
    en: 'There is nothing to show: start the service with PV_AUDIT_ENABLED=true to record requests.',
  },
  verified: { de: 'Zitate geprüft', en: 'Citations verified' },
  ratedUp: { de: 'hilfreich', en: 'helpful' },
  ratedDown: { de: 'nicht hilfreich', en: 'not helpful' },
  dateWrong: { de: 'Bitte einen Tag ab 2000 eingeben.', en: 'Please enter a day from 2000 on.' },
  orderWrong: { de: 'Das Ende liegt vor dem Beginn.', en: 'The end is before the start.' },
  loading: { de: 'Wird geladen …', en: 'Loading …' },
  countAll: {
    de: (n: number) => (n === 1 ? '1 Vorgang' : `${n.toLocaleString('de')} Vorgänge`),
    en: (n: number) => (n === 1 ? '1 request' : `${n.toLocaleString('en')} requests`),
  },
  countSome: {
    de: (n: string) => `Die neuesten ${n}, es gibt weitere`,
    en: (n: string) => `The newest ${n}, there are more`,
  },
  countFound: {
    de: (n: string) => `${n} gefunden, ältere Einträge sind noch nicht durchsucht`,
    en: (n: string) => `${n} found, older entries are not searched yet`,
  },
  none: { de: 'Noch kein Vorgang aufgezeichnet.', en: 'No requests recorded yet.' },
  noneFound: { de: 'Kein Vorgang passt zu diesen Filtern.', en: 'No request matches these filters.' },
  noText: { de: 'ohne Text aufgezeichnet', en: 'recorded without text' },
  erasedText: { de: 'Text gelöscht', en: 'text erased' },
  commentCount: {
    de: (n: number) => (n === 1 ? '1 Kommentar' : `${n} Kommentare`),
    en: (n: number) => (n === 1 ? '1 comment' : `${n} comments`),
  },
  answerCount: { de: (n: number) => `${n} Antworten`, en: (n: number) => `${n} answers` },
  request: { de: 'Vorgang', en: 'Request' },
  choose: { de: 'Einen Vorgang aus der Liste wählen.', en: 'Choose a request from the list.' },
  back: { de: 'Zur Liste', en: 'Back to the list' },
  erasedAt: { de: 'Text gelöscht am', en: 'Text erased on' },
  erasedNote: {
    de: 'Frage, Antwort, Rückmeldung und Kommentare gibt es nicht mehr. Kennungen und Zahlen bleiben.',
    en: 'Question, answer, feedback and comments are gone. Ids and figures remain.',
  },
  kindAsk: { de: 'Frage', en: 'Question' },
  kindReview: { de: 'Prüfung', en: 'Review' },
  citations: { de: 'Zitierte Quellen', en: 'Cited sources' },
  feedbackTitle: { de: 'Rückmeldungen', en: 'Feedback' },
  noFeedback: { de: 'Keine Bewertung, kein Kommentar.', en: 'No rating, no comment.' },
  commentNumber: { de: (id: number) => `Kommentar Nr. ${id}`, en: (id: number) => `Comment no. ${id}` },
  answers: { de: 'Antworten', en: 'Answers' },
  at: { de: 'Zeit', en: 'When' },
  answersLeftOut: {
    de: (n: number) =>
      n === 1
        ? 'Eine weitere Antwort gehört zu den Ereignissen, die hier nicht angezeigt werden.'
        : `${n} weitere Antworten gehören zu den Ereignissen, die hier nicht angezeigt werden.`,
    en: (n: number) =>
      n === 1
        ? 'Another answer is among the events that are not shown here.'
        : `${n} more answers are among the events that are not shown here.`,
  },
  storySpan: {
    de: (n: string, span: string) => `${n} Ereignisse in ${span}`,
    en: (n: string, span: string) => `${n} events in ${span}`,
  },
  path: { de: 'Weg', en: 'Path' },
  diagram: { de: 'Zustände', en: 'States' },
  machine: { de: (name: string) => `Zustände von „${name}“`, en: (name: string) => `States of “${name}”` },
  pathTaken: { de: (path: string) => `Weg: ${path}.`, en: (path: string) => `Path: ${path}.` },
  notReached: {
    de: (states: string) => `Nicht erreicht: ${states}.`,
    en: (states: string) => `Not reached: ${states}.`,
  },
  transitions: { de: 'Alle Übergänge als Tabelle', en: 'All transitions as a table' },
  transitionFrom: { de: 'Von', en: 'From' },
  transitionEvent: { de: 'Ereignis', en: 'Event' },
  transitionTo: { de: 'Nach', en: 'To' },
  transitionTaken: { de: 'Genommen', en: 'Taken' },
  times: { de: (n: number) => `${n}-mal`, en: (n: number) => (n === 1 ? 'once' : `${n} times`) },
  timeline: { de: 'Verlauf', en: 'Timeline' },
  omitted: {
    de: (n: number) =>
      n === 1 ? '1 Ereignis wird hier nicht angezeigt.' : `${n} Ereignisse werden hier nicht angezeigt.`,
    en: (n: number) => (n === 1 ? '1 event is not shown here.' : `${n} events are not shown here.`),
  },
  call: { de: (n: number) => `Aufruf ${n}`, en: (n: number) => `Call ${n}` },
  byOperator: { de: 'durch den Betreiber', en: 'by an operator' },
  byRetention: { de: 'nach Ablauf der Aufbewahrungsfrist', en: 'after the retention period' },
  becauseOf: { de: (event: string) => `wegen „${event}“`, en: (event: string) => `because of “${event}”` },
  ofRequest: { de: 'Anfrage', en: 'HTTP request' },
  data: { de: 'Daten', en: 'Data' },
  chain: { de: 'Kette', en: 'Chain' },
  chainWhole: {
    de: (n: string) => `Unversehrt: ${n} Ereignisse, jedes mit dem vorigen verkettet.`,
    en: (n: string) => `Intact: ${n} events, each linked to the one before.`,
  },
  chainBroken: {
    de: (n: number) => (n === 1 ? 'Die Kette hat einen Fehler' : `Die Kette hat ${n} Fehler`),
    en: (n: number) => (n === 1 ? 'The chain has a fault' : `The chain has ${n} faults`),
  },
  recordTitle: { de: 'Stand des Protokolls', en: 'State of the record' },
  checkpoint: { de: 'Neuester Prüfpunkt', en: 'Newest checkpoint' },
  noCheckpoint: { de: 'noch keiner', en: 'none yet' },
  checkpointOf: { de: (n: string) => `${n} Ereignisse`, en: (n: string) => `${n} events` },
  root: { de: 'Wurzel', en: 'Root' },
  expect: { de: 'Für „verify --expect“', en: 'For “verify --expect”' },
  expectName: {
    de: 'Größe und Wurzel für „beleg audit verify --expect“',
    en: 'size and root for “beleg audit verify --expect”',
  },
  signed: { de: 'Signiert mit', en: 'Signed with' },
  publicKey: { de: 'öffentlichen Schlüssel', en: 'public key' },
  unsigned: { de: 'nicht signiert', en: 'not signed' },
  download: { de: 'Als JSON speichern', en: 'Save as JSON' },
  erasedCount: { de: 'Gelöschte Vorgänge', en: 'Requests erased' },
  checkpointNow: { de: 'Prüfpunkt erstellen', en: 'Create checkpoint' },
  checkpointing: { de: 'Der Prüfpunkt wird erstellt …', en: 'Creating the checkpoint …' },
  checkpointMade: {
    de: (n: string) => `Prüfpunkt über ${n} Ereignisse erstellt.`,
    en: (n: string) => `Checkpoint of ${n} events created.`,
  },
  checkpointSame: {
    de: 'Seit dem letzten Prüfpunkt gibt es keine neuen Ereignisse. Er gilt weiter.',
    en: 'There are no new events since the last checkpoint. It is still valid.',
  },
  note: { de: 'Prüfvermerk', en: 'signed note' },
  erase: { de: 'Text dieses Vorgangs löschen …', en: 'Erase the text of this request …' },
  eraseTitle: { de: 'Text endgültig löschen?', en: 'Erase the text permanently?' },
  eraseOf: { de: 'Vorgang', en: 'Request' },
  eraseLost: { de: 'Verloren gehen', en: 'What is lost' },
  eraseLostWhat: {
    de: 'Frage, Antwort, Entwürfe, Suchanfragen, Angaben zur Prüfung, Rückmeldung und Kommentare dieses Vorgangs: im Protokoll, in den Tabellen und auf dieser Seite. Das lässt sich nicht rückgängig machen.',
    en: 'Question, answer, drafts, search terms, what was to be reviewed, feedback and comments of this request: in the record, in the tables and on this page. It cannot be undone.',
  },
  eraseStays: { de: 'Es bleiben', en: 'What stays' },
  eraseStaysWhat: {
    de: 'Kennungen, Zeiten, Ergebnis, Bewertung, zitierte Quellen und Zahlen, und der Nachweis, dass das Protokoll unversehrt ist. Kopien außerhalb des Dienstes werden nicht gelöscht.',
    en: 'Ids, times, outcome, rating, cited sources and figures, and the proof that the record is intact. Copies outside the service are not erased.',
  },
  reason: { de: 'Grund', en: 'Reason' },
  reasonHint: {
    de: 'Die Begründung bleibt dauerhaft lesbar im Protokoll: keine Namen, keine Angaben zu einer Person.',
    en: 'The reason stays readable in the record forever: no names, nothing about a person.',
  },
  reasonLeft: {
    de: (n: number) => `noch ${n} Zeichen`,
    en: (n: number) => (n === 1 ? '1 character left' : `${n} characters left`),
  },
  repeatId: { de: 'Zur Bestätigung die Kennung des Vorgangs eingeben', en: 'Type the request id to confirm' },
  idDiffers: { de: 'Das ist nicht die Kennung dieses Vorgangs.', en: 'This is not the id of this request.' },
  eraseNow: { de: 'Endgültig löschen', en: 'Erase permanently' },
  erasing: {
    de: 'Wird gelöscht, auch aus den Dateien. Das kann eine Minute dauern …',
    en: 'Erasing, from the files too. This may take a minute …',
  },
  erased: { de: 'Der Text ist gelöscht.', en: 'The text is erased.' },
  erasedBefore: { de: 'Der Text war schon gelöscht.', en: 'The text was already erased.' },
  eraseUnknown: {
    de: 'Ob der Text gelöscht ist, ist nicht bekannt: Die Antwort des Dienstes kam nicht an. Noch einmal löschen schadet nicht.',
    en: 'Whether the text is erased is not known: the reply of the service did not arrive. Erasing again does no harm.',
  },
};

const EVENTS = {
  QuestionAsked: { de: 'Frage gestellt', en: 'Question asked' },
  PassagesRetrieved: { de: 'Abschnitte gesucht', en: 'Passages retrieved' },
  AnswerDrafted: { de: 'Entwurf geschrieben', en: 'Answer drafted' },
  DraftVerified: { de: 'Entwurf geprüft', en: 'Draft verified' },
  AnswerGiven: { de: 'Antwort gegeben', en: 'Answer given' },
  AskFailed: { de: 'Abgebrochen', en: 'Failed' },
  AnswerRated: { de: 'Bewertet', en: 'Rated' },
  CommentRecorded: { de: 'Kommentiert', en: 'Commented' },
  ErasureRequested: { de: 'Löschung angefordert', en: 'Erasure requested' },
  TextErased: { de: 'Text gelöscht', en: 'Text erased' },
};

/** What this page says: what an answer is called it says as the test page does. */
export const texts = {
  ...shared,
  ...inLanguage(TEXTS, language),
  events: inLanguage(EVENTS, language) as Readonly<Record<string, string>>,
};
