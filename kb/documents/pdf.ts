import { isTitleOfContents } from './contents.ts';
import { MOST_SCANS } from './document-limits.ts';
import { monthOf } from './month.ts';
import { layoutOf } from './pdf/layout.ts';
import { DOTS_PER_INCH, languagesOfTesseract, readPicture } from './pdf/ocr.ts';
import { isBullet } from './pdf/segments.ts';
import { withBullets } from './pdf/bullets.ts';
import { BrokenPage, Pdf, type Page } from './pdf/pdfium.ts';
import { withoutRunning } from './pdf/running.ts';
import { knownIn } from './pdf/paragraphs.ts';
import { unitsOfTags } from './pdf/tags.ts';
import { unitsOfPages } from './pdf/units.ts';
import { usualSize, type Word } from './pdf/words.ts';
import { withOrganisation } from './organisation.ts';
import { ownTitle } from './own-title.ts';
import { nameOf } from './passages.ts';
import { withPrintedHeads } from './printed-heads.ts';
import { isOfProgram } from './program-titles.ts';
import { documentOf, langOf, Unreadable, type Document, type DocumentKind, type Unit } from './unit.ts';
import { squeezed } from '../white-space.ts';

/**
 * PDF, read by PDFium. A tagged one says what its text is; the structure of any other is derived from the position and
 * look of characters.
 */
export const pdf: DocumentKind = {
  extensions: ['pdf'],
  async parse(bytes, path, onPart) {
    using file = await Pdf.open(bytes);
    return await documentIn(file, nameOf(path), onPart ?? (() => undefined));
  },
};

async function documentIn(file: Pdf, name: string, onPart: () => void): Promise<Document> {
  const { pages: found, broken } = pagesOf(file);
  const { pages, byOcr, scans } = await withScans(file, found, onPart);
  const slides = areSlides(pages);
  const { pages: bare, runningHeads, pageNumbers, lineNumbers, texts } = withoutRunning(pages, slides);
  const known = knownIn(bare.flatMap(({ words }) => words));
  const unitsOfLooks = (some: typeof bare): Unit[] =>
    unitsOfPages(
      some.map(({ page, words }) => ({ number: page.number, blocks: layoutOf(page, words) })),
      file.outline(),
      known,
      slides,
    );
  const isByOcr = ({ page }: (typeof bare)[number]): boolean => byOcr.has(page.number);
  const tagged = unitsOfTags(
    bare.filter((each) => !isByOcr(each)),
    known,
    (words) =>
      unitsOfLooks(
        bare.flatMap(({ page }) => {
          const own = words.get(page.number);
          return own === undefined ? [] : [{ page, words: own }];
        }),
      ),
  );
  const looks = unitsOfLooks(withBullets(tagged === undefined ? bare : bare.filter(isByOcr)));
  // A bullet alone is an item that was left empty.
  const all = [...(tagged?.units ?? []), ...looks].filter((unit) => unit.kind === 'row' || !isBullet(unit));
  if (tagged !== undefined && looks.length > 0) all.sort((a, b) => (a.page ?? 0) - (b.page ?? 0));
  const units = withPrintedHeads(all).map((unit): Unit =>
    byOcr.has(unit.page ?? 0) ? { ...unit, ocr: true } : unit,
  );
  if (units.length === 0 && scans > 0) throw new Unreadable('is a scan without text');
  const leftOut = Object.entries({
    'running heads': runningHeads,
    'page numbers': pageNumbers,
    'numbers of lines': lineNumbers,
    'lines of contents': tagged?.contents ?? 0,
    'words that decorate the pages': tagged?.decoration ?? 0,
    'pages that are scans without text': scans,
    'broken pages': broken,
    'characters set sideways': pages.reduce((sum, { sideways }) => sum + sideways, 0),
  }).filter(([, count]) => count > 0);
  return documentOf({
    units,
    title: withOrganisation(titleOf(file, units, [name, ...texts]), name, texts),
    stand: writtenIn(monthOf(dateOf(file.meta('CreationDate'))), found),
    lang: langOf(file.language),
    slides: slides ? true : undefined,
    leftOut: Object.fromEntries(leftOut),
  });
}

/** Slides are wider than high, and their type is larger than this share of their height. */
const TYPE_OF_SLIDES = 0.022;

const isSlide = ({ width, height, words }: Page): boolean =>
  width > 1.2 * height && usualSize(words) > TYPE_OF_SLIDES * height;

function areSlides(pages: readonly Page[]): boolean {
  const written = pages.filter(({ words }) => words.length > 0);
  return written.length > 1 && written.filter(isSlide).length > 0.8 * written.length;
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
  return { pages: withTellingBold(pages), broken };
}

const lettersIn = (words: readonly Word[]): number => words.reduce((sum, { text }) => sum + text.length, 0);

/** Bold type tells nothing apart where most of the text is bold, or where the file calls its only font so. */
function withTellingBold(pages: readonly Page[]): Page[] {
  const words = pages.flatMap((page) => page.words);
  if (lettersIn(words.filter(({ bold }) => bold)) <= lettersIn(words) / 2) return [...pages];
  return pages.map((page) => ({ ...page, words: page.words.map((word) => ({ ...word, bold: false })) }));
}

/** A page with a picture and hardly any text is a scan: a stamp or a number may have been added to it. */
const isScan = ({ words, isPicture }: Page): boolean => isPicture && lettersIn(words) < 30;

/** Reads scanned pages by Tesseract if it is installed. */
async function withScans(
  file: Pdf,
  pages: readonly Page[],
  onPart: () => void,
): Promise<{ pages: Page[]; byOcr: ReadonlySet<number>; scans: number }> {
  const byOcr = new Set<number>();
  let scans = 0;
  const languages = pages.some(isScan) ? await languagesOfTesseract() : '';
  const read: Page[] = [];
  for (const page of pages) {
    if (!isScan(page)) read.push(page);
    else if (languages === '' || byOcr.size >= MOST_SCANS) {
      scans += 1;
      read.push(page);
    } else {
      const words = await readPicture(file.render(page.number, DOTS_PER_INCH), languages);
      byOcr.add(page.number);
      read.push({ ...page, words, rules: [] });
      onPart();
    }
  }
  return { pages: read, byOcr, scans };
}

/** `D:20240301120000+01'00'`. */
const dateOf = (date: string): string => date.replace(/^(?:D:)?(\d{4})(\d{2}).*$/su, '$1-$2-01');

/** The year of a date with its day: `1.3.2024`, `2024-03-01`, `1. März 2024`, `1st March 2024`, `March 1, 2024`. */
const YEAR_OF_DATE =
  /(?:\d{1,2}\s?[./]\s?\d{1,2}\s?[./]\s?|\d{1,2}(?:\.|st|nd|rd|th)?\s\p{Lu}\p{L}{2,8}\s|\p{Lu}\p{L}{2,8}\s\d{1,2},\s)((?:19|20)\d{2})(?!\d)|((?:19|20)\d{2})-\d{2}-\d{2}(?!\d)/gu;

/**
 * The month in which a PDF was made, where this is when its text was written. A scan is made later, by whoever scans it, and
 * so is a PDF in whose text every date is more than a year older: old texts are saved anew for a web page.
 */
function writtenIn(made: string | undefined, pages: readonly Page[]): string | undefined {
  if (made === undefined || pages.filter(({ isPicture }) => isPicture).length > pages.length / 2)
    return undefined;
  const text = pages.flatMap(({ words }) => words.map((word) => word.text)).join(' ');
  const years = [...text.matchAll(YEAR_OF_DATE)].map(([, last, first]) => Number(last ?? first));
  return years.length > 0 && Math.max(...years) < Number(made.slice(0, 4)) - 1 ? undefined : made;
}

function titleOf(file: Pdf, units: readonly Unit[], names: readonly string[]): string | undefined {
  const given = squeezed(file.meta('Title'));
  const isTitle =
    /\p{L}{3}/u.test(given) &&
    !isOfProgram(given) &&
    !isTitleOfContents(given) &&
    (/\s/u.test(given) || !/[_\d]/u.test(given));
  return ownTitle(isTitle ? given : undefined, units, names);
}
