import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import { review } from './review.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

/** What is said of one key of a slip that is written as `key=value; key=value`, checked or not. */
function said(slip: string, key: string): string {
  const facts = slip.split('; ').map((pair) => {
    const [name, value] = pair.split('=') as [string, string];
    return { key: name, value };
  });
  const { checks, notChecked } = review({
    question: 'Stimmt die Abrechnung?',
    context: { facts },
    base,
    language: 'de',
  });
  const lines = [
    ...checks.filter(({ aspect }) => aspect === key).map(({ detail }) => detail),
    ...notChecked.filter(({ fact }) => fact === key).map(({ reason }) => reason),
  ];
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

describe('wage tax', () => {
  test('with a factor shows the tax of the year before it', () => {
    const slip =
      'monat=2019-07; land=BW; childless=ja; pgr=101; bgr=1111; kv_zusatzsatz=0,9; stkl=IV; steuerbrutto=3.540,15; steuerfaktor=0,912; lohnsteuer=510,08';
    expect(said(slip, 'lohnsteuer')).toMatch(/Steuer des Jahres [\d.,]+ € × Faktor 0,912 = 6\.121,00 €/u);
  });
});
