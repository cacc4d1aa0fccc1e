/** Translates the reasons for which the service leaves out files: English patterns, and what they become in German. */
const GERMAN: readonly (readonly [RegExp, string])[] = [
  [/^has no text$/u, 'hat keinen Text'],
  [/^is empty: it has no bytes$/u, 'ist leer (0 Bytes)'],
  [/^is a scan without text$/u, 'ist ein Scan ohne Text (Tesseract liest ihn)'],
  [/^is encrypted\b.*$/u, 'ist verschlüsselt'],
  [/^is not text$/u, 'ist kein Text'],
  [/^is not valid UTF-8$/u, 'ist nicht in UTF-8 geschrieben'],
  [/^is nested too deeply$/u, 'ist zu tief verschachtelt'],
  [/^is larger than (?<size>.+)$/u, 'ist größer als $<size>'],
  [
    /^took longer than (?<seconds>\d+) seconds to read$/u,
    'wurde in $<seconds> Sekunden nicht fertig gelesen',
  ],
  [/^needs more than (?<megabytes>\d+) MB of memory$/u, 'braucht mehr als $<megabytes> MB Arbeitsspeicher'],
  [/^has more than (?<megabytes>\d+) MB of text$/u, 'hat mehr als $<megabytes> MB Text'],
  [/^is broken\b.*$/u, 'ist beschädigt'],
  [/^is packed more tightly than any document$/u, 'ist dichter gepackt als jedes Dokument'],
  [
    /^is an? (?<kind>old .+|OpenDocument .+|rich text file): save it as (?<ending>\.\w+)$/u,
    'als $<ending> speichern: alte oder andere Art von Datei',
  ],
  [/^has faults in it$/u, 'hat Fehler'],
  [/^is a link out of the knowledge base and is not followed$/u, 'ist ein Link aus dem Ordner hinaus'],
  [/^the folder cannot be looked at \((?<code>.*)\)$/u, 'ist nicht zu erreichen ($<code>)'],
  [
    /^the folder has no document that can be read\b.*$/u,
    'enthält kein lesbares Dokument: Ist das Laufwerk verbunden? Bis dahin gilt der bisherige Stand',
  ],
  [/^changed files were not taken in \((?<code>.*)\)$/u, 'Änderungen wurden nicht übernommen ($<code>)'],
  [/^(?<file>\S+) is broken in line (?<line>\d+)$/u, '$<file> ist in Zeile $<line> fehlerhaft'],
  [/^(?<file>\S+\.(?:yaml|txt)) is broken$/u, '$<file> ist fehlerhaft'],
  [/^cannot be read \((?<code>.*)\)$/u, 'ist nicht lesbar ($<code>)'],
];

/** A reason without a German form stays English. */
export function germanReason(reason: string): string {
  const [pattern, german] = GERMAN.find(([each]) => each.test(reason)) ?? [];
  return pattern === undefined || german === undefined ? reason : reason.replace(pattern, german);
}
