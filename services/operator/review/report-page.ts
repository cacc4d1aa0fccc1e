import { escapeHtml } from '../../foundation/escape-html.ts';
import type { CheckedSlip } from './check-run.ts';

const list = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;

/** The report of a run as one page, without other files and without scripts. */
export function reportPage(slips: readonly CheckedSlip[], law: readonly string[]): string {
  const wrong = slips.filter(({ warnings }) => warnings.length > 0);
  const sections = wrong.map(
    ({ row, warnings, checked, of, changes }) =>
      `<section><h2>Zeile ${row}</h2><p>${checked} von ${of} Angaben geprüft.</p>` +
      list(warnings.map(({ aspect, detail }) => `⚠ ${aspect}: ${detail}`)) +
      (changes.length === 0 ? '' : `<h3>Gegenüber dem Vormonat</h3>${list(changes)}`) +
      '</section>',
  );
  return (
    '<!doctype html><html lang="de"><meta charset="utf-8"><title>Geprüfter Abrechnungslauf</title>' +
    '<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}section{border-top:1px solid #ccc}</style>' +
    `<h1>${wrong.length} von ${slips.length} Abrechnungen beanstandet</h1>` +
    (law.length === 0 ? '' : `<h2>Geändertes Recht</h2>${list(law)}`) +
    `${sections.join('')}</html>\n`
  );
}
