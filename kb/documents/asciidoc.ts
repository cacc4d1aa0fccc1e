import { load } from '@asciidoctor/core';
import { parse } from 'parse5';

import { decodeAny } from '../text/decode.ts';
import { flatten } from './html-tree.ts';
import { unitsOfTree } from './html-units.ts';
import { monthOf } from './month.ts';
import { plainText } from './plain-text.ts';
import { documentOf, langOf, Unreadable, type DocumentKind } from './unit.ts';

/** A line by which a site includes another file. That file is a document of its own if it is in the folder. */
const INCLUDE = /^include::.*\[.*\]$/gmu;

/** Asciidoctor reads nothing outside the file, and adds neither a table of contents nor captions like `Table 1.`. */
const OPTIONS = {
  safe: 'secure',
  attributes: { showtitle: '', toc: null, icons: null, 'table-caption': null },
};

/** AsciiDoc, converted by Asciidoctor. */
export const asciidoc: DocumentKind = {
  extensions: ['adoc', 'asciidoc', 'asc'],
  async parse(bytes) {
    const text = decodeAny(bytes);
    if (text === undefined) throw new Unreadable('is not text');
    const included = text.match(INCLUDE)?.length ?? 0;
    const document = await load(text.replaceAll(INCLUDE, ''), OPTIONS);
    const tree = parse(await document.convert());
    flatten(tree);
    const units = unitsOfTree(tree);
    const attribute = (name: string): string => String(document.getAttribute(name) ?? '');
    return documentOf({
      units,
      title: plainText(attribute('doctitle')),
      stand: monthOf(attribute('revdate')),
      lang: langOf(attribute('lang')),
      leftOut: included === 0 ? {} : { 'included file': included },
    });
  },
};
