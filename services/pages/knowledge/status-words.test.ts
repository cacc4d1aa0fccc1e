import { expect, test } from 'vitest';
import { inLanguage, TEXTS } from './languages.ts';
import { statusWords } from './status-words.ts';

const GERMAN = inLanguage(TEXTS, 'de');

test.each([
  [[], 'Bereit'],
  [['files'], 'Bereit, 6 Dateien nicht gelesen'],
  [['record', 'files'], 'Bereit, Protokoll gestört'],
  [['clock'], 'Bereit, Uhren gehen falsch'],
  [['model'], 'Bereit, ohne Sprachmodell'],
  [['folder', 'record'], 'Bereit, auf altem Stand'],
] as const)('what is degraded by %j says "%s"', (by, words) => {
  const status = by.length === 0 ? 'ok' : 'degraded';
  const index = { files: { left_out: 6 } };
  expect(statusWords({ status, degraded_by: [...by], index }, GERMAN)).toBe(words);
});
