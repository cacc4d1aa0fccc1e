import { escapeHtml } from '../../foundation/escape-html.ts';
import {
  remarksOf,
  sayResult,
  shareOf,
  sourcesOf,
  unchecked,
  withoutFindings,
  wrongOf,
  type RunReport,
} from './run-report.ts';

const list = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;

const section = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<h2>${title}</h2>${list(items)}`;

const lawOf = (law: RunReport['law']): string[] => law.map(({ text, source }) => `${text} [${source}]`);

/** The report of a run as one page, without other files and without scripts. */
export function reportPage(report: RunReport): string {
  const { law, changes, nameOf, titleOf } = report;
  const slips = wrongOf(report).map((slip) => {
    const changed = changes.get(slip) ?? [];
    return (
      `<section><h2>Zeile ${slip.row.line}</h2><p>${shareOf(slip)}</p>` +
      list(slip.findings.map(({ key, detail }) => `⚠ ${nameOf(key)}: ${detail}`)) +
      (changed.length === 0 ? '' : `<h3>Gegenüber dem Vormonat</h3>${list(changed)}`) +
      '</section>'
    );
  });
  const fine = withoutFindings(report).map(
    ({ lines, share }) => `<tr><td>${lines}</td><td>${share}</td></tr>`,
  );
  return (
    '<!doctype html><html lang="de"><meta charset="utf-8"><title>Geprüfter Abrechnungslauf</title>' +
    '<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}section{border-top:1px solid #ccc}td,th{text-align:left;padding-right:2rem}</style>' +
    `<h1>${escapeHtml(sayResult(report))}</h1>` +
    list(remarksOf(report)) +
    section('Geändertes Recht', lawOf(law.filter(({ isKept }) => !isKept))) +
    section('Unverändertes Recht', lawOf(law.filter(({ isKept }) => isKept))) +
    slips.join('') +
    (fine.length === 0
      ? ''
      : `<h2>Ohne Befund</h2><table><tr><th>Zeilen</th><th>Wie viel geprüft ist</th></tr>${fine.join('')}</table>`) +
    section('Nicht geprüft', unchecked(report)) +
    section(
      'Quellen',
      sourcesOf(report).map((source) => `[${source}] ${titleOf(source)}`),
    ) +
    '</html>\n'
  );
}
