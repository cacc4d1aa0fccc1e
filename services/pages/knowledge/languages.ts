/** A count with its noun in both languages; `#` stands for the number in the plural. */
export const counted = (oneDe: string, moreDe: string, oneEn: string, moreEn: string) => ({
  de: (n: number) => (n === 1 ? oneDe : moreDe.replace('#', n.toLocaleString('de'))),
  en: (n: number) => (n === 1 ? oneEn : moreEn.replace('#', n.toLocaleString('en'))),
});

/** A text in both languages in which `#` stands for a name. */
export const about = (de: string, en: string) => ({
  de: (thing: string | number) => de.replace('#', () => String(thing)),
  en: (thing: string | number) => en.replace('#', () => String(thing)),
});

/** The texts of pages and `beleg ask` in both languages. */
export const TEXTS = {
  question: { de: 'Ihre Frage', en: 'Your question' },
  example: {
    de: 'Was möchten Sie wissen?',
    en: 'What would you like to know?',
  },
  personalData: about(
    'Die Frage enthält anscheinend #. Für die Antwort ist das nicht nötig: bitte vor dem Senden entfernen.',
    'The question seems to contain #. The answer does not need it: please remove it before you send.',
  ),
  iban: { de: 'eine IBAN', en: 'an IBAN' },
  'tax-id': { de: 'eine Steuer-Identifikationsnummer', en: 'a tax id' },
  'insurance-number': { de: 'eine Versicherungsnummer', en: 'an insurance number' },
  'name-with-salary': { de: 'einen Namen mit Verdienst', en: 'a name with pay' },
  ask: { de: 'Fragen', en: 'Ask' },
  cancel: { de: 'Abbrechen', en: 'Cancel' },
  searching: { de: 'Die Wissensbasis wird durchsucht …', en: 'Searching the knowledge base …' },
  cancelled: { de: 'Abgebrochen.', en: 'Cancelled.' },
  verified: { de: 'Belegt', en: 'Verified' },
  verifiedNote: { de: 'Jede Aussage hat eine geprüfte Quelle.', en: 'Every statement has a checked source.' },
  contradictory: { de: 'Widersprüchlich', en: 'Contradictory' },
  contradictoryNote: {
    de: 'Jede Aussage hat eine Quelle, aber die Quellen widersprechen sich.',
    en: 'Every statement has a source, but the sources contradict each other.',
  },
  partial: { de: 'Nur teilweise belegt', en: 'Verified in part' },
  partialNote: {
    de: 'Zu einem Teil der Frage wurde keine Antwort gefunden.',
    en: 'No answer was found to a part of the question.',
  },
  doubtful: { de: 'Passt vielleicht nicht', en: 'May not fit the question' },
  doubtfulNote: {
    de: 'Jede Aussage hat eine Quelle, aber die Antwort passt vielleicht nicht zur Frage.',
    en: 'Every statement has a source, but the answer may not fit the question.',
  },
  dated: { de: 'Belegt, aber nicht auf aktuellem Stand', en: 'Verified, but not up to date' },
  datedNote: about(
    'Die Wissensbasis hat den Rechtsstand #. Seitdem kann es sich geändert haben.',
    'The knowledge base has the law as of #. It may have changed since.',
  ),
  oldNote: about(
    'Die Quelle hat den Stand #. Seitdem kann es sich geändert haben.',
    'The source is as of #. It may have changed since.',
  ),
  uncertain: { de: 'Nicht gesichert', en: 'Uncertain' },
  uncertainNote: {
    de: 'Nicht jede Aussage ließ sich belegen. Bitte nicht ungeprüft verwenden.',
    en: 'Some statements are not supported by a source. Please check the answer before you use it.',
  },
  asking: { de: 'Rückfrage', en: 'Clarifying question' },
  askingNote: {
    de: 'Die Frage lässt sich auf mehrere Arten verstehen.',
    en: 'The question can be understood in several ways.',
  },
  refused: { de: 'Keine Antwort', en: 'No answer' },
  refusedNote: {
    de: 'Die Wissensbasis deckt diese Frage nicht ab.',
    en: 'The knowledge base does not cover this question.',
  },
  unverified: { de: 'Nicht geprüft', en: 'Not verified' },
  unverifiedNote: {
    de: 'Die Quellenangaben sind nicht geprüft. Bitte nicht ungeprüft verwenden.',
    en: 'The citations are not verified. Please check the answer before you use it.',
  },
  conflicts: { de: 'Widerspruch in den Quellen', en: 'The sources contradict each other' },
  clarification: { de: 'Rückfrage', en: 'Clarifying question' },
  refine: { de: 'Frage ergänzen', en: 'Refine the question' },
  nearest: { de: 'Am nächsten kommen', en: 'Nearest to it' },
  sources: { de: 'Quellen', en: 'Sources' },
  passage: { de: 'Wortlaut der Quelle', en: 'Text of the source' },
  page: about('Seite #', 'page #'),
  original: { de: 'Original öffnen', en: 'Open the original' },
  passageMarks: {
    de: 'Markiert ist, was die Antwort zitiert; am stärksten der Satz, auf den es ankommt.',
    en: 'Marked is what the answer quotes; most strongly the sentence that decides.',
  },
  passageChanged: {
    de: 'Der Text wurde seit dieser Antwort geändert. Deshalb ist nicht markiert, was sie zitiert.',
    en: 'The text was changed after this answer, so what it quotes is not marked.',
  },
  back: { de: 'Zurück zur Antwort', en: 'Back to the answer' },
  baseAsOf: about('Rechtsstand #', 'Law as of #'),
  examples: { de: 'Zum Beispiel', en: 'For example' },
  topics: { de: 'Themen', en: 'Topics' },
  stand: { de: 'Stand', en: 'As of' },
  details: { de: 'Technische Angaben', en: 'Technical details' },
  notRecorded: {
    de: 'Diese Antwort konnte nicht aufgezeichnet werden, etwa weil der Datenträger voll ist. Sie lässt sich nicht bewerten und später nicht mehr nachschlagen.',
    en: 'This answer could not be recorded, for example because the disk is full. It cannot be rated, nor looked up later.',
  },
  helpful: { de: 'War das hilfreich?', en: 'Was this helpful?' },
  up: { de: 'Ja', en: 'Yes' },
  down: { de: 'Nein', en: 'No' },
  rated: { de: 'Danke, die Bewertung ist gespeichert.', en: 'Thank you, the rating is saved.' },
  updated: { de: 'Die Bewertung wurde geändert.', en: 'The rating was changed.' },
  feedbackSaved: { de: 'Danke, die Rückmeldung ist gespeichert.', en: 'Thank you, the feedback is saved.' },
  feedback: { de: 'Möchten Sie etwas dazu sagen? (freiwillig)', en: 'Anything to add? (optional)' },
  sendFeedback: { de: 'Rückmeldung senden', en: 'Send feedback' },
  comment: { de: 'Kommentar schreiben', en: 'Write a comment' },
  sendComment: { de: 'Kommentar speichern', en: 'Save comment' },
  commented: about('Kommentar Nr. # ist gespeichert.', 'Comment no. # is saved.'),
  copy: { de: 'Kopieren', en: 'Copy' },
  copyName: about('# kopieren', 'Copy #'),
  copied: { de: 'Kopiert', en: 'Copied' },
  notCopied: { de: 'Nicht kopiert', en: 'Not copied' },
  answer: { de: 'Antwort', en: 'Answer' },
  retry: { de: 'Erneut versuchen', en: 'Try again' },
  retryIn: about('Erneut versuchen (in # s)', 'Try again (in # s)'),
  requestId: { de: 'Vorgang', en: 'Request' },
  keyNeeded: {
    de: 'Dieser Dienst verlangt einen gültigen Schlüssel. Bitte unter „Mehr“ eintragen.',
    en: 'This service needs a valid key. Please enter it under “More”.',
  },
  offline: { de: 'Der Dienst ist nicht zu erreichen.', en: 'The service cannot be reached.' },
  questionEmpty: { de: 'Bitte eine Frage eingeben.', en: 'Please enter a question.' },
  depthWrong: {
    de: 'Bitte eine ganze Zahl von 1 bis 50 eingeben.',
    en: 'Please enter a whole number from 1 to 50.',
  },
  ok: { de: 'Bereit', en: 'Ready' },
  degradedFolder: { de: 'Bereit, auf altem Stand', en: 'Ready, but not up to date' },
  degradedRecord: { de: 'Bereit, Protokoll gestört', en: 'Ready, but recording has problems' },
  degradedClock: { de: 'Bereit, Uhren gehen falsch', en: 'Ready, but clocks are wrong' },
  degradedModel: { de: 'Bereit, ohne Sprachmodell', en: 'Ready, without the language model' },
  degradedFiles: counted(
    'Bereit, 1 Datei nicht gelesen',
    'Bereit, # Dateien nicht gelesen',
    'Ready, 1 file not read',
    'Ready, # files not read',
  ),
  unavailable: { de: 'Nicht bereit', en: 'Not ready' },
  unreachable: { de: 'Nicht erreichbar', en: 'Unreachable' },
  yes: { de: 'ja', en: 'yes' },
  no: { de: 'nein', en: 'no' },
  files: { de: 'Dateien', en: 'Files' },
  filesRead: {
    de: (read: number, all: number, left: number) => `${read} von ${all}, ${left} ausgelassen`,
    en: (read: number, all: number, left: number) => `${read} of ${all}, ${left} left out`,
  },
  folder: { de: 'Ordner', en: 'Folder' },
  leftOut: { de: 'Ausgelassen', en: 'Left out' },
  passages: { de: 'Abschnitte', en: 'passages' },
  builtAt: { de: 'Index vom', en: 'Index built' },
  model: { de: 'Modell', en: 'Model' },
  retrieval: { de: 'Suche', en: 'Retrieval' },
  audit: { de: 'Protokoll', en: 'Record' },
  auditOn: { de: 'bereit', en: 'ready' },
  auditOff: { de: 'aus', en: 'off' },
  auditBroken: { de: 'gestört', en: 'disturbed' },
  version: { de: 'Version', en: 'Version' },
  status: { de: 'Ergebnis', en: 'Outcome' },
  type: { de: 'Art der Antwort', en: 'Kind of answer' },
  scope: { de: 'Datenbasis', en: 'Data' },
  citationsVerified: { de: 'Zitate geprüft', en: 'Citations verified' },
  context: { de: 'Gelesene Quellen', en: 'Sources read' },
  regenerations: { de: 'Neue Versuche', en: 'Regenerations' },
  latency: { de: 'Dauer', en: 'Time' },
  reviewQuestion: { de: 'Prüffrage', en: 'To be reviewed' },
  reviewExample: {
    de: 'Entspricht der Stundenlohn im März 2022 dem Mindestlohn?',
    en: 'Does the hourly wage in March 2022 meet the minimum wage?',
  },
  review: { de: 'Prüfen', en: 'Review' },
  factKey: { de: 'Bezeichnung', en: 'Key' },
  factValue: { de: 'Wert', en: 'Value' },
  factNote: { de: 'Hinweis (freiwillig)', en: 'Note (optional)' },
  addFact: { de: 'Angabe hinzufügen', en: 'Add a fact' },
  addComponent: { de: 'Bestandteil hinzufügen', en: 'Add a component' },
  inRow: {
    de: (name: string, row: number) => `${name}, Zeile ${row}`,
    en: (name: string, row: number) => `${name}, row ${row}`,
  },
  removeRow: about('Zeile # entfernen', 'Remove row #'),
  rowCount: {
    de: (rows: number, most: number) => `${rows} von ${most}`,
    en: (rows: number, most: number) => `${rows} of ${most}`,
  },
  pasted: counted('1 Zeile eingefügt.', '# Zeilen eingefügt.', '1 row pasted.', '# rows pasted.'),
  pastedSome: {
    de: (rows: number, left: number) => `${rows} Zeilen eingefügt, für ${left} weitere ist kein Platz.`,
    en: (rows: number, left: number) => `${rows} rows pasted, there is no room for ${left} more.`,
  },
  keyWrong: {
    de: (example: string) => `Nur a–z, 0–9 und _ . -${example === '' ? '' : `, etwa: ${example}`}`,
    en: (example: string) => `Only a–z, 0–9 and _ . -${example === '' ? '' : `, such as: ${example}`}`,
  },
  missing: { de: 'Bitte ausfüllen.', en: 'Please fill this in.' },
  tooLong: about('Höchstens # Zeichen.', 'At most # characters.'),
  faultsBelow: { de: 'Bitte die markierten Felder berichtigen.', en: 'Please correct the marked fields.' },
  plausible: { de: 'Plausibel', en: 'Plausible' },
  plausibleNote: {
    de: 'Alle prüfbaren Angaben stimmen.',
    en: 'Everything that could be checked is correct.',
  },
  implausible: { de: 'Nicht plausibel', en: 'Not plausible' },
  implausibleNote: {
    de: (warnings: number, checks: number) =>
      warnings === 1
        ? `1 von ${checks} Prüfungen ergab eine Abweichung.`
        : `${warnings} von ${checks} Prüfungen ergaben Abweichungen.`,
    en: (warnings: number, checks: number) =>
      warnings === 1
        ? `1 of ${checks} checks shows a deviation.`
        : `${warnings} of ${checks} checks show deviations.`,
  },
  not_checkable: { de: 'Nicht prüfbar', en: 'Not checkable' },
  not_checkableNote: {
    de: 'Keine Angabe konnte sicher anhand einer Fundstelle geprüft werden. Das heißt weder Ja noch Nein.',
    en: 'No fact could be reliably checked against a source. This means neither yes nor no.',
  },
  verdict: { de: 'Plausibilitätsprüfung', en: 'Plausibility check' },
  checkOk: { de: 'Passt', en: 'Fits' },
  checkWarn: { de: 'Abweichung', en: 'Deviation' },
  knowledge: { de: 'Dazu sagt die Wissensbasis', en: 'What the knowledge base says' },
  plannedOne: { de: 'Frage gelesen', en: 'Question read' },
  plannedParts: about('Frage gelesen, # Suchen geplant', 'Question read, # searches planned'),
  retrieved: counted('1 Abschnitt gefunden', '# Abschnitte gefunden', '1 passage found', '# passages found'),
  notCovered: { de: 'Keine Quelle dazu gefunden', en: 'No source found on this' },
  drafting: { de: 'Die Antwort wird formuliert …', en: 'Writing the answer …' },
  drafted: counted('Entwurf liegt vor', '#. Entwurf liegt vor', 'Draft written', 'Draft # written'),
  verifying: {
    de: 'Jede Aussage wird anhand ihrer Quelle geprüft …',
    en: 'Checking each statement against its source …',
  },
  holds: { de: 'Geprüft: jede Aussage ist belegt', en: 'Checked: every statement is supported' },
  fails: counted(
    'Geprüft: 1 Aussage ist nicht belegt',
    'Geprüft: # Aussagen sind nicht belegt',
    'Checked: 1 statement is not supported',
    'Checked: # statements are not supported',
  ),
  again: about('Neuer Versuch, #. Entwurf …', 'Trying again, draft # …'),
  finishing: { de: 'Die Antwort wird zusammengestellt …', en: 'Putting the answer together …' },
  steps: { de: 'Ablauf', en: 'Steps' },
  searches: about('Suchplan: # Suchanfragen', 'Search plan: # searches'),
  uncovered: { de: 'Nicht abgedeckt', en: 'Not covered' },
};

export type Language = 'de' | 'en';

type InOne<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { de: infer Words; en: infer Words } ? Words : never;
};

/** A table of texts in one language. */
export function inLanguage<Table extends Readonly<Record<string, Record<Language, unknown>>>>(
  table: Table,
  language: Language,
): InOne<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, words]) => [name, words[language]]),
  ) as InOne<Table>;
}

export type Texts = InOne<typeof TEXTS>;

/** Titles of errors in German; English ones come with the error. */
export const GERMAN_TITLES: Readonly<Record<string, string>> = {
  INVALID_REQUEST: 'Die Anfrage ist nicht gültig',
  REVIEW_MODE_DISABLED: 'Der Prüfmodus ist ausgeschaltet',
  CONTEXT_NOT_ALLOWED: 'Angaben sind nur im Prüfmodus erlaubt',
  UNAUTHORIZED: 'Ein gültiger Schlüssel fehlt',
  BODY_TOO_LARGE: 'Die Eingabe ist zu groß',
  UNKNOWN_REQUEST_ID: 'Zu diesem Vorgang ist keine Antwort gespeichert',
  UNKNOWN_SOURCE: 'Diese Quelle gibt es in der Wissensbasis nicht',
  REQUEST_ERASED: 'Der Text dieses Vorgangs ist gelöscht',
  RATE_LIMITED: 'Zu viele Anfragen in kurzer Zeit',
  OVERLOADED: 'Der Dienst ist ausgelastet',
  INDEX_NOT_READY: 'Der Suchindex ist noch nicht bereit',
  MODEL_UNAVAILABLE: 'Das Sprachmodell antwortet nicht',
  AUDIT_DISABLED: 'Das Protokoll ist ausgeschaltet, es kann nichts gespeichert werden',
  AUDIT_UNAVAILABLE: 'Das Protokoll kann zurzeit nicht geschrieben werden',
  STORE_UNAVAILABLE: 'Das Protokoll kann zurzeit nicht geschrieben werden',
  DEADLINE_EXCEEDED: 'Der Dienst hat nicht rechtzeitig geantwortet',
  NO_RESPONDERS: 'Der Wissensdienst läuft nicht',
  RESPONDER_LOST: 'Der Wissensdienst ist während der Anfrage ausgefallen',
  SERVICE_UNAVAILABLE: 'Der Dienst ist nicht verfügbar',
  UNREACHABLE: 'Der Dienst ist nicht zu erreichen',
  PROXY_ANSWERED: 'Ein Server vor dem Dienst hat geantwortet',
  CUT_OFF: 'Die Antwort wurde nicht vollständig übertragen',
  INTERNAL: 'Im Dienst ist ein Fehler aufgetreten',
};

/** The service's messages for faulty fields, with their German. */
export const GERMAN_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^Only a-z, 0-9, "_", "\." and "-"$/, 'Nur a–z, 0–9 und _ . -'],
  [/^(?:Must not be empty|Too small: expected string to have >=1 characters)$/, 'Bitte ausfüllen.'],
  [/^Too big: expected string to have <=(\d+) characters$/, 'Höchstens $1 Zeichen.'],
  [/^At most (\d+) characters$/, 'Höchstens $1 Zeichen.'],
  [/^At most (\d+),(\d+) characters$/, 'Höchstens $1.$2 Zeichen.'],
  [/^Too big: expected array to have <=(\d+) items$/, 'Höchstens $1 Zeilen.'],
];
