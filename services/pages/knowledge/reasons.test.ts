import { expect, test } from 'vitest';
import { germanReason } from './reasons.ts';

test.each([
  ['has no text', 'hat keinen Text'],
  ['is empty: it has no bytes', 'ist leer (0 Bytes)'],
  ['took longer than 30 seconds to read', 'wurde in 30 Sekunden nicht fertig gelesen'],
  ['is larger than 32 MiB', 'ist größer als 32 MiB'],
  ['is an old Word file: save it as .docx', 'als .docx speichern: alte oder andere Art von Datei'],
  ['the folder cannot be looked at (ENOENT)', 'ist nicht zu erreichen (ENOENT)'],
  ['base.yaml is broken in line 2', 'base.yaml ist in Zeile 2 fehlerhaft'],
  ['synonyms.txt is broken', 'synonyms.txt ist fehlerhaft'],
  [
    'the folder has no document that can be read: is its drive mounted? The index from before answers meanwhile',
    'enthält kein lesbares Dokument: Ist das Laufwerk verbunden? Bis dahin gilt der bisherige Stand',
  ],
  ['changed files were not taken in (KB_INVALID)', 'Änderungen wurden nicht übernommen (KB_INVALID)'],
  ['something new', 'something new'],
])('%s is said in German', (reason, german) => {
  expect(germanReason(reason)).toBe(german);
});
