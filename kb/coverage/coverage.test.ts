import { describe, expect, it } from 'vitest';
import { coverageOf } from './coverage.ts';
import { buildIndex } from '../index/build.ts';
import { LexicalIndex } from '../index/lexical-index.ts';
import type { Coverage, Language, Source } from '../knowledge.ts';
import { calibrate } from './probes.ts';

function source(id: string, text: string, more: Partial<Source> = {}): Source {
  const base = { title: id, section: '', stand: '2022-03', work: 'Test', lang: 'de' as Language, year: null };
  return { id, text, ...base, ...more };
}

/** A base of invented towns: each source states four facts about one. */
function townBase(): Source[] {
  const towns = [
    'Arnfeld',
    'Birkau',
    'Cronstein',
    'Dornbach',
    'Eschenried',
    'Falkenau',
    'Gernsheim',
    'Horndorf',
  ];
  const trades = [
    'Glasbläser',
    'Korbflechter',
    'Seifensieder',
    'Böttcher',
    'Drechsler',
    'Weber',
    'Gerber',
    'Schmiede',
  ];
  const rivers = ['Aller', 'Bode', 'Cremlitz', 'Dosse', 'Eider', 'Fulde', 'Gande', 'Havel'];
  return towns.map((town, i) =>
    source(
      `T-${i}`,
      `Die Stadt ${town} liegt am Ufer der ${rivers[i]} zwischen sanften Hügeln. Im Mittelalter lebten dort viele ` +
        `${trades[i]} und trieben regen Handel. Die Brücke von ${town} wurde ${1510 + 7 * i} aus Sandstein erbaut. ` +
        `Jeden Herbst feiern die Bewohner ein großes Fest mit ${30 + 11 * i} Kapellen.`,
      { title: town },
    ),
  );
}

const GROUPS = [{ from: ['rauswerfen', 'Rauswurf'], to: ['Kündigung'], line: 1 }];

function ask(sources: readonly Source[], question: string, groups: typeof GROUPS = []): Coverage {
  const index = new LexicalIndex(buildIndex(sources, groups));
  return coverageOf(index, question, index.search(question, { topK: 8 }), calibrate(index));
}

describe('coverageOf', () => {
  it.each([
    'Wann wurde die Brücke von Birkau erbaut?',
    'Welche Handwerker lebten im Mittelalter in Dornbach?',
    'wie viele kapellen feiern in falkenau das fest?',
    'Wann wurde die Bruecke von Eschenried erbaut?',
    'Wann wurde die Brücke von Birkau für 4711 Euro erbaut?',
  ])('covers %j', (question) => {
    expect(ask(townBase(), question)).toMatchObject({ covered: true });
  });

  it.each<[string, string]>([
    ['Wer gewann den Nobelpreis für Physik?', 'Nobelpreis'],
    ['Wie hoch ist die Grunderwerbsteuer in Niederbayern?', 'Grunderwerbsteuer'],
    ['Wann wurde die Brücke in Birkau im Jahr 1634 erbaut?', '1634'],
    ['Wann baute Max Mustermann die Brücke von Birkau?', 'Mustermann'],
    ['Wann kaufte die ABCD die Brücke von Birkau?', 'ABCD'],
  ])('does not cover %j', (question, missing) => {
    const coverage = ask(townBase(), question);
    expect(coverage.covered).toBe(false);
    expect(coverage.missing).toContain(missing);
  });

  it('takes a year from what the source holds for', () => {
    const sources = [
      ...townBase(),
      source('BBG', 'Die Beitragsbemessungsgrenze beträgt monatlich 6.700 Euro.', {
        year: 2021,
        stand: '2020-11',
      }),
    ];
    expect(ask(sources, 'Wie hoch ist die Beitragsbemessungsgrenze 2021?').covered).toBe(true);
    expect(ask(sources, 'Wie hoch ist die Beitragsbemessungsgrenze 2030?').covered).toBe(false);
  });

  it('counts a synonym as the word itself', () => {
    const sources = [...townBase(), source('K', 'Die Kündigung bedarf der Schriftform.')];
    const question = 'Braucht der Rauswurf Schriftform?';
    expect(ask(sources, question, GROUPS).value).toBeGreaterThan(ask(sources, question).value);
  });

  it('covers nothing where nothing was found or asked', () => {
    expect(ask(townBase(), 'Und?')).toEqual({ value: 0, covered: false, missing: [] });
    expect(ask(townBase(), 'Xylophon?')).toMatchObject({ value: 0, covered: false, missing: ['Xylophon'] });
  });
});

describe('calibrate', () => {
  it('separates what the base holds from what it does not', () => {
    const calibration = calibrate(new LexicalIndex(buildIndex(townBase())));
    expect(calibration.probes).toBeGreaterThan(100);
    expect(calibration.covered).toBeGreaterThan(calibration.withheld);
    expect(calibration.threshold).toBeGreaterThanOrEqual(0.25);
    expect(calibration.threshold).toBeLessThan(0.8);
  });

  it('gives the same threshold each time', () => {
    const index = new LexicalIndex(buildIndex(townBase()));
    expect(calibrate(index)).toEqual(calibrate(new LexicalIndex(buildIndex(townBase()))));
  });

  it('does without probes in a base too small for them', () => {
    expect(calibrate(new LexicalIndex(buildIndex([source('A', 'Kurz.')])))).toMatchObject({ probes: 0 });
  });
});
