import { describe, expect, it } from 'vitest';

import { html } from './html.ts';
import { markdown } from './markdown.ts';
import { withoutWikiParts } from './wiki-export.ts';
import type { Document } from './unit.ts';

const textsOf = (document: unknown): string[] =>
  withoutWikiParts(document as Document).units.map((unit) => ('text' in unit ? unit.text : ''));

const COMMENT = 'Stimmt nicht mehr, seit 2024 sind es 30 Tage Urlaub im Jahr!';

/** A page as a space of Confluence is exported. */
const page = (comments: string) => `<title>HR : Urlaub</title><div id="page"><div id="main">
<div id="main-header"><ol id="breadcrumbs"><li><a href="index.html">HR</a></li></ol><h1 id="title-heading">HR : Urlaub</h1></div>
<div id="content" class="view"><div class="page-metadata">
  Created by <span class='author'> Max</span>, last modified by <span class='editor'> Eva Beispiel</span> on Jan 12, 2023 </div>
<div id="main-content" class="wiki-content group"><p>Im Jahr sind es 28 Tage.</p>
<div class="expand-container"><div class="expand-control"><span class="expand-control-text">Click here to expand...</span></div>
<div class="expand-content"><p>Im Dezember gilt eine Sperre.</p></div></div></div>
<div class="pageSection group"><div class="pageSectionHeader"><h2 id="attachments" class="pageSectionTitle">Attachments:</h2></div>
<div class="greybox"><a href="attachments/1/2.docx">Antrag.docx</a> (application/docx) <br/></div></div>${comments}</div></div></div>`;
const commented = (comment: string) => `<div class="pageSection group">
<div class="pageSectionHeader"><h2 id="comments" class="pageSectionTitle">Comments:</h2></div>
<table border="0" width="100%"><tr><td><a name="comment-9"></a><font class="smallfont"><p>${comment}</p></font>
<div class="smallfont">Posted by hmeier at Feb 01, 2024 10:12</div></td></tr></table></div>`;
const OWN = ['HR : Urlaub', 'Im Jahr sind es 28 Tage.', 'Im Dezember gilt eine Sperre.'];

describe('what a wiki adds to a page', () => {
  it('is no section of the document with a comment of its own, whoever wrote the document', () => {
    const text =
      '# Urlaub\n\n## Kommentare\n\nDie Regel gilt ab Januar auch für Azubis.\n\nProtokoll verfasst von Eva Meier am 12. März 2024\n';
    expect(textsOf(markdown.parse(Buffer.from(text), 'a.md'))).toContain(
      'Die Regel gilt ab Januar auch für Azubis.',
    );
  });

  it.each([
    ['without comments', ''],
    ['with one', commented(COMMENT)],
    ['with comments that are longer than the page', commented(COMMENT.repeat(20))],
  ])('is left out of an exported page %s', (_, comments) => {
    expect(textsOf(html.parse(Buffer.from(page(comments)), 'a.html'))).toEqual(OWN);
  });

  it('is left out of the same page as Markdown, in German too', () => {
    const text = `# Urlaub\n\nErstellt von Max, zuletzt geändert von Eva am 12. Januar 2023\n\nIm Jahr sind es 28 Tage.\n\nZum Erweitern hier klicken...\n\n## Kommentare (1)\n\n${COMMENT}\n\nGeschrieben von hmeier am 1. Februar 2024 10:12\n`;
    expect(textsOf(markdown.parse(Buffer.from(text), 'a.md'))).toEqual([
      'Urlaub',
      'Im Jahr sind es 28 Tage.',
    ]);
  });

  it('stays where it is what the document is about', () => {
    const text =
      '# Regeln\n\n## Comments\n\nEach function has a comment.\n\n## Anlagen:\n\nPläne als PDF.\n\nErstellt von Eva.\n';
    expect(textsOf(markdown.parse(Buffer.from(text), 'a.md'))).toHaveLength(6);
  });
});
