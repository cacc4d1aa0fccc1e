/** A line that leads to a page: `2.1 Zielgruppen ........ 7`. */
export const CONTENTS_LINE = /(?:\.\s?){4,}\s*(?:\d{1,4}|[ivxlc]{1,6})?$/u;

/** What stands above a table of contents, and is left out with it. */
export const isTitleOfContents = (text: string): boolean =>
  /^(?:(?:table of )?contents|inhalt|inhaltsverzeichnis|inhaltsübersicht)$/iu.test(text.trim());
