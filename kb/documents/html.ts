import { isUtf8 } from 'node:buffer';

import { parse } from 'parse5';

import { decodeAny } from '../text/decode.ts';
import { withoutFooters } from './footers.ts';
import { attributeOf, elementsBelow, flatten, textBelow, type HtmlElement } from './html-tree.ts';
import { unitsOfTree } from './html-units.ts';
import { mainContentOf } from './main-content.ts';
import { monthOf } from './month.ts';
import { plainText } from './plain-text.ts';
import { documentOf, langOf, webAddress, Unreadable, type Document, type DocumentKind } from './unit.ts';
import { wordList } from '../word-list.ts';

/** A page of the web or an intranet, of which only the main content is read. */
export const html: DocumentKind = {
  extensions: ['html', 'htm', 'xhtml'],
  parse(bytes) {
    const text = decodeHtml(bytes);
    if (text === undefined) throw new Unreadable('is not text');
    return documentIn(text);
  },
};

/** The encoding that a page states at its beginning. */
const CHARSET = /<meta[^>]+charset\s*=\s*["']?(?<meta>[\w-]+)|<\?xml[^>]+encoding\s*=\s*["'](?<xml>[\w-]+)/iu;

/**
 * Decodes a page by its byte-order mark, otherwise as UTF-8 if that is valid, otherwise by the page's own statement,
 * otherwise by the frequency of its characters.
 */
function decodeHtml(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const { meta, xml } = CHARSET.exec(head)?.groups ?? {};
  const named = (meta ?? xml ?? '').toLowerCase();
  if (!/^(?:|utf-?8|utf-?16.*|iso-8859-1|latin-?1|windows-1252|us-ascii)$/u.test(named) && !isUtf8(bytes)) {
    try {
      return new TextDecoder(named).decode(bytes);
    } catch {
      // An unknown name of an encoding is ignored.
    }
  }
  return decodeAny(bytes);
}

function documentIn(text: string): Document {
  const tree = parse(text);
  flatten(tree);
  const head = headOf(elementsBelow(tree));
  const { root, leftOut } = mainContentOf(tree);
  const [units, footers] = withoutFooters(unitsOfTree(root));
  const headings = units.flatMap((unit) => (unit.kind === 'heading' && unit.level === 1 ? unit.text : []));
  const title = headings.length === 1 ? headings[0] : head.title;
  return documentOf({
    ...head,
    units,
    title,
    leftOut: countsOf([...leftOut.map(({ why }) => why), ...Array<string>(footers).fill('footer')]),
  });
}

const countsOf = (reasons: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(reasons, (why) => why)].map(([why, { length }]) => [why, length] as const),
  );

/** Meta fields with the date of a page, the most reliable first. */
const DATES = wordList(`
  article:modified_time og:updated_time dcterms.modified dc.date.modified last-modified datemodified
  article:published_time dcterms.date dcterms.created dc.date datepublished date`);

/** The facts that the head of a page states about it. */
function headOf(elements: readonly HtmlElement[]) {
  const metas = new Map(
    elements
      .filter(({ tagName }) => tagName === 'meta')
      .reverse()
      .map((meta) => [
        (
          attributeOf(meta, 'property') ??
          attributeOf(meta, 'name') ??
          attributeOf(meta, 'itemprop') ??
          attributeOf(meta, 'http-equiv') ??
          ''
        ).toLowerCase(),
        attributeOf(meta, 'content') ?? '',
      ]),
  );
  const written = elements.find(
    ({ tagName, namespaceURI }) => tagName === 'title' && namespaceURI.endsWith('xhtml'),
  );
  const h1 = elements
    .filter(({ tagName }) => tagName === 'h1')
    .map((heading) => plainText(textBelow(heading)));
  const title = [
    h1.length === 1 ? h1[0]! : '',
    plainText(metas.get('og:title') ?? ''),
    written === undefined ? '' : plainText(textBelow(written)),
    h1[0] ?? '',
  ].find((each) => each !== '');
  const time = elements.find(({ tagName }) => tagName === 'time');
  const json = elements
    .filter(
      (element) => element.tagName === 'script' && attributeOf(element, 'type') === 'application/ld+json',
    )
    .map(textBelow)
    .join('\n');
  const inJson = (name: string): string =>
    new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`, 'u').exec(json)?.[1] ?? '';
  const stand = [
    ...DATES.slice(0, 6).map((name) => metas.get(name) ?? ''),
    inJson('dateModified'),
    ...DATES.slice(6).map((name) => metas.get(name) ?? ''),
    inJson('datePublished'),
    time === undefined ? '' : (attributeOf(time, 'datetime') ?? ''),
  ]
    .map(monthOf)
    .find((month) => month !== undefined);
  const language = elements.find(({ tagName }) => tagName === 'html');
  const tag =
    language === undefined ? '' : (attributeOf(language, 'lang') ?? attributeOf(language, 'xml:lang') ?? '');
  const canonical = elements.find(
    (element) => element.tagName === 'link' && attributeOf(element, 'rel')?.toLowerCase() === 'canonical',
  );
  const url = (canonical === undefined ? undefined : attributeOf(canonical, 'href')) ?? metas.get('og:url');
  return { title, stand, lang: langOf(tag), url: webAddress(url) };
}
