import { monthOf } from './month.ts';
import { layoutOf } from './pdf/layout.ts';
import { BrokenPage, Pdf, type Page } from './pdf/pdfium.ts';
import { withoutRunning } from './pdf/running.ts';
import { unitsOfPages } from './pdf/units.ts';
import { Unreadable, type Document, type DocumentKind, type Unit } from './unit.ts';

/** PDF by PDFium, whose own text has no structure: it is made of where characters stand and how they look. */
export const pdf: DocumentKind = {
  extensions: ['pdf'],
  async parse(bytes) {
    using file = await Pdf.open(bytes);
    return documentOf(file);
  },
};

function documentOf(file: Pdf): Document {
  const { pages, broken } = pagesOf(file);
  const scans = pages.filter(({ words, isPicture }) => words.length === 0 && isPicture).length;
  const { pages: bare, runningHeads, pageNumbers } = withoutRunning(pages);
  const { units, contents } = unitsOfPages(
    bare.map(({ page, words }) => ({ number: page.number, blocks: layoutOf(page, words) })),
    file.outline(),
  );
  if (units.length === 0) throw new Unreadable(scans > 0 ? 'is a scan without text' : 'has no text');
  const leftOut = Object.entries({
    'running heads': runningHeads,
    'page numbers': pageNumbers,
    'lines of contents': contents,
    'pages that are scans without text': scans,
    'broken pages': broken,
    'characters set sideways': pages.reduce((sum, { sideways }) => sum + sideways, 0),
  }).filter(([, count]) => count > 0);
  const title = titleOf(file, units);
  const stand = monthOf(dateOf(file.meta('CreationDate')));
  const lang = /^(?<lang>de|en)\b/iu.exec(file.language)?.groups?.['lang']?.toLowerCase();
  return {
    units,
    ...(title === undefined ? {} : { title }),
    ...(stand === undefined ? {} : { stand }),
    ...(lang === undefined ? {} : { lang: lang as 'de' | 'en' }),
    ...(leftOut.length === 0 ? {} : { leftOut: Object.fromEntries(leftOut) }),
  };
}

function pagesOf(file: Pdf): { pages: Page[]; broken: number } {
  const pages: Page[] = [];
  let broken = 0;
  for (let number = 1; number <= file.pageCount; number += 1) {
    try {
      pages.push(file.page(number));
    } catch (error) {
      if (!(error instanceof BrokenPage)) throw error;
      broken += 1;
    }
  }
  return { pages, broken };
}

/** What programs put there when nobody gave a title: the file's name, or their own. */
const NO_TITLE =
  /\.(?:docx?|odt|pdf|indd|qxd|tex|dvi|xlsx?|pptx?|rtf|txt|p65|fm|ps)$|^(?:microsoft (?:word|powerpoint|excel)|powerpoint|untitled|unbenannt|ohne titel|dokument|document|layout|slide|folie|bericht|scan|title|titel)\b\s?\d*\s*(?:$|-)/iu;

/** `D:20240301120000+01'00'`. */
const dateOf = (date: string): string => date.replace(/^(?:D:)?(\d{4})(\d{2}).*$/su, '$1-$2-01');

function titleOf(file: Pdf, units: readonly Unit[]): string | undefined {
  const given = file.meta('Title').replaceAll(/\s+/gu, ' ').trim();
  const isTitle =
    /\p{L}{3}/u.test(given) && !NO_TITLE.test(given) && (/\s/u.test(given) || !/[_\d]/u.test(given));
  if (isTitle) return given;
  const headings = units.filter((unit) => unit.kind === 'heading').filter(({ page = 1 }) => page <= 2);
  return (headings.find(({ level }) => level === 1) ?? headings[0])?.text;
}
