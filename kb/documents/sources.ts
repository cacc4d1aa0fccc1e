import { detectLanguage } from '../analysis/analysis.ts';
import type { AboutBase } from '../base/about.ts';
import type { BaseFile } from '../base/files.ts';
import { yearOf } from '../base/year.ts';
import type { Source } from '../source.ts';
import { nameOf, passagesOf } from './passages.ts';
import type { Document } from './unit.ts';

/** The language of a passage is detected from this many letters on; a shorter one has the language of its document. */
const TELLING = 200;

/** The passages of a document, each as a source. */
export function sourcesOf(
  document: Document,
  { path, changed }: BaseFile,
  about: AboutBase | null,
): Source[] {
  const { title = nameOf(path), stand } = document;
  const passages = passagesOf(document, path);
  const whole = passages.map(({ text }) => text).join('\n');
  // The words decide about the language before the file does: programs state their own language, which many users never
  // chose.
  const opening = whole.slice(0, 2 * 1000);
  const lang =
    opening.length < TELLING && document.lang !== undefined
      ? document.lang
      : detectLanguage(opening, document.lang);
  return passages.map(({ id, title: heading, section, text, units, page, anchor }): Source => {
    const url = document.url ?? urlOf(about, path);
    return {
      id,
      title: heading,
      section,
      stand: stand ?? changed,
      ...(stand === undefined ? { undated: true } : {}),
      work: title,
      lang: text.length >= TELLING ? detectLanguage(text) : lang,
      year: about?.law === true ? yearOf(id, heading, section) : null,
      ...(url === undefined ? {} : { url: withPlace(url, page, anchor) }),
      text: text.replaceAll(CONTROL, ' '),
      units,
      path,
      ...(page === undefined ? {} : { page }),
    };
  });
}

/** C0 and C1 control characters except tab and line feed, DEL, and unpaired surrogates. */
// oxlint-disable-next-line no-control-regex
export const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]|\p{Surrogate}/gu;

/** The address of the original, from `base.yaml`. */
const urlOf = (about: AboutBase | null, path: string): string | undefined =>
  about?.url
    ?.replaceAll('{path}', encodedPath(path))
    .replaceAll('{name}', encodedPath(path.replace(/\.[^./]+$/u, '')));

/** A path for an address. Each name is encoded by itself, because a file may be called `#1: wer?.md`. */
const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/**
 * The address with the place in the document: browsers open a PDF at `#page=3`, and a web page at the anchor of a
 * heading.
 */
function withPlace(url: string, page: number | undefined, anchor: string | undefined): string {
  const place = page !== undefined ? `page=${page}` : anchor === undefined ? '' : encodeURIComponent(anchor);
  return place === '' || url.includes('#') ? url : `${url}#${place}`;
}
