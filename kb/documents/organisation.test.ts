import { expect, it } from 'vitest';

import { isTitleOf, withOrganisation } from './organisation.ts';

it.each([
  ['Satzung', ['Satzung: Adorfer Chor e V.'], 'Satzung: Adorfer Chor e V.'],
  ['Antrag', ['Adorfer Chor e.V. · Weg 3 · 12345 Adorf'], 'Antrag – Adorfer Chor e.V.'],
  [undefined, ['Muster & Sohn GmbH | Seite 3 von 4'], 'Datei – Muster & Sohn GmbH'],
  ['Bylaws', ['Adams Hill Homeowners Association, Inc. 3'], 'Bylaws – Adams Hill Homeowners Association'],
])('the title %s has what the heads %j name', (title, running, told) => {
  expect(withOrganisation(title, 'Datei', running)).toBe(told);
});

it.each([
  ['Satzung', ['Satzung, Ausgabe Mai 2018']],
  ['Satzung des Adorfer Chor e.V.', ['Adorfer Chor e. V.']],
  [undefined, ['Handbuch, Kapitel 3', 'Seite 3']],
])('the title %s stays beside the heads %j', (title, running) => {
  expect(withOrganisation(title, 'Datei', running)).toBe(title);
});

it('is known by its heading without it', () => {
  expect(isTitleOf('Antrag – Adorfer Chor e.V.', 'Antrag')).toBe(true);
  expect(isTitleOf('Antragsfrist', 'Antrag')).toBe(false);
});
