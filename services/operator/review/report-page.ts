import { escapeHtml } from '../../foundation/escape-html.ts';
import type { ChangedLaw } from './changed-law.ts';
import {
  remarksOf,
  sayLaw,
  sayResult,
  shareOf,
  sourcesOf,
  unchecked,
  uncheckedOf,
  withoutFindings,
  wrongOf,
  type RunReport,
} from './run-report.ts';

const list = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;

const section = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<h2>${title}</h2>${list(items)}`;

const lawOf = ({ law }: RunReport, of: ChangedLaw['kind']): string[] =>
  law.filter(({ kind }) => kind === of).map(sayLaw);

/** The difference of a value in words, if it is an amount. */
const sayOff = (off: string | null): string => (off === null ? '' : ` (Abweichung ${off} €)`);

/** The changes since the earlier month in slips without findings. */
const changesWithoutFindings = ({ slips, changes }: RunReport): string[] =>
  slips.flatMap((slip) => {
    const changed = changes.get(slip) ?? [];
    return slip.findings.length > 0 || changed.length === 0
      ? []
      : [`Zeile ${slip.row.line}: ${changed.join('; ')}`];
  });

/** The report of a run as one page, without other files and without scripts. */
export function reportPage(report: RunReport): string {
  const { changes, nameOf, titleOf } = report;
  const slips = wrongOf(report).map((slip) => {
    const changed = changes.get(slip) ?? [];
    const open = uncheckedOf(slip, nameOf);
    return (
      `<section><h2>Zeile ${slip.row.line}</h2><p>${shareOf(slip)}</p>` +
      list(slip.findings.map(({ key, off, detail }) => `⚠ ${nameOf(key)}${sayOff(off)}: ${detail}`)) +
      (changed.length === 0 ? '' : `<h3>Gegenüber dem Vormonat</h3>${list(changed)}`) +
      (open.length === 0 ? '' : `<h3>Nicht geprüft</h3>${list(open)}`) +
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
    section('Geändertes Recht', lawOf(report, 'changed')) +
    section('Recht, das nicht mehr bekannt ist', lawOf(report, 'unknown')) +
    section('Unverändertes Recht', lawOf(report, 'kept')) +
    slips.join('') +
    (fine.length === 0
      ? ''
      : `<h2>Ohne Befund</h2><table><tr><th>Zeilen</th><th>Wie viel geprüft ist</th></tr>${fine.join('')}</table>`) +
    section('Ohne Befund, gegenüber dem Vormonat', changesWithoutFindings(report)) +
    section('Nicht geprüft', unchecked(report)) +
    section(
      'Quellen',
      sourcesOf(report).map((source) => `[${source}] ${titleOf(source)}`),
    ) +
    '</html>\n'
  );
}
