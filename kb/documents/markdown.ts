import { setImmediate } from 'node:timers/promises';

import type {
  BlockContent,
  DefinitionContent,
  FootnoteDefinition,
  List,
  PhrasingContent,
  RootContent,
  Table,
} from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

import { parseFrontMatter, type FrontMatter } from '../base/front-matter.ts';
import { decodeAny } from '../text/decode.ts';
import { unitsOfHtml } from './html-units.ts';
import { partsOfMarkdown } from './markdown-parts.ts';
import { monthOf } from './month.ts';
import { isSectionHead } from './section-heads.ts';
import {
  documentOf,
  langOf,
  webAddress,
  asNote,
  Unreadable,
  type Document,
  type DocumentKind,
  type Unit,
} from './unit.ts';
import { squeezed } from '../white-space.ts';

/** CommonMark with the extensions of GitHub, Obsidian, Hugo, Jekyll, MkDocs and Docusaurus. */
export const markdown: DocumentKind = {
  extensions: ['md', 'markdown', 'mdx', 'mdown'],
  parse(bytes, _, onPart) {
    const text = decodeAny(bytes);
    if (text === undefined) throw new Unreadable('is not text');
    const matter = frontMatterOf(text);
    const [first, ...others] = partsOfMarkdown(matter === undefined ? text : text.slice(matter.bodyStart));
    const units = unitsOfMarkdown(first);
    return others.length === 0 ? documentIn(matter, units) : inParts(matter, units, others, onPart);
  },
};

/** Date fields in the front matter of site generators, note-taking programs and wikis, the most reliable first. */
const DATES = ['stand', 'lastmod', 'last_modified_at', 'updated', 'modified', 'last_update', 'date'];

/** The memory of each part is freed, and its result has left the process, before the next part is read. */
async function inParts(
  matter: Matter | undefined,
  units: Unit[],
  parts: readonly string[],
  onPart?: () => void,
): Promise<Document> {
  for (const part of parts) {
    onPart?.();
    await setImmediate();
    for (const unit of unitsOfMarkdown(part)) units.push(unit);
  }
  return documentIn(matter, units);
}

function documentIn(matter: Matter | undefined, units: readonly Unit[]): Document {
  const field = (name: string): string | undefined => matter?.fields.get(name)?.value || undefined;
  const headings = units.filter((unit) => unit.kind === 'heading');
  const [first] = headings;
  const beside = headings.filter(({ level }) => level === first!.level);
  // The first of several sections names itself, unless nothing stands below it.
  const isSection =
    beside.filter(({ text }) => isSectionHead(text)).length > 1 ||
    (beside.length > 2 && units[units.indexOf(first!) + 1]?.kind !== 'heading');
  const title = field('title') ?? (isSection ? undefined : first?.text);
  const stand = DATES.map((name) => monthOf(field(name) ?? '')).find((month) => month !== undefined);
  const tags = [...(matter?.lists.get('tags') ?? [])].map(({ value }) => value).filter((tag) => tag !== '');
  return documentOf({
    units,
    title: title === undefined ? undefined : squeezed(title),
    stand,
    lang: langOf(field('lang') ?? field('language') ?? ''),
    url: webAddress(field('url') ?? field('canonical')),
    tags,
  });
}

const TOML = /^\+\+\+[ \t]*\n(?<fields>[\s\S]*?)^\+\+\+[ \t]*(?:\n|$)/mu;
const TOML_FIELD =
  /^(?<name>[A-Za-z_]\w*)\s*=\s*(?:"(?<quoted>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"'[{]\S*))\s*$/u;

type Matter = Pick<FrontMatter, 'fields' | 'lists' | 'bodyStart'>;

/** Front matter is YAML between `---`, or TOML between `+++` (Hugo), of which plain strings and dates are read. */
function frontMatterOf(text: string): Matter | undefined {
  const yaml = parseFrontMatter(text);
  if (yaml !== undefined) return yaml;
  const toml = text.startsWith('+++') ? TOML.exec(text) : null;
  if (toml === null || toml.index !== 0) return undefined;
  const fields = toml.groups!['fields']!.split('\n').flatMap((line, at) => {
    const { name, quoted, single, bare } = TOML_FIELD.exec(line)?.groups ?? {};
    return name === undefined
      ? []
      : [[name, { value: quoted ?? single ?? bare ?? '', line: at + 2 }] as const];
  });
  return { fields: new Map(fields), lists: new Map(), bodyStart: toml[0].length };
}

/** The units of a Markdown text without front matter. */
export function unitsOfMarkdown(text: string): Unit[] {
  const root = fromMarkdown(asMarkdown(text), {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const units = new Units();
  units.addAll(root.children, 0);
  return units.all;
}

/** MkDocs' `!!! note "Title"` and its tab `=== "Title"`, with an indented text; people leave out spaces, and they still show. */
const INDENTED =
  /^(?<indent>[ \t]*)(?:(?:!!![ \t]*|\?\?\?\+?[ \t]+)(?<label>[\w-]+)(?:[ \t]+[\w-]+)*(?:[ \t]*"(?<title>[^"]*)")?|===[!+]?[ \t]+"(?<tab>[^"]*)")[ \t]*$/u;
/** `:::note Title` and `:::note[Title]` of Docusaurus and VuePress, and `::: {.note}` of Pandoc, up to `:::`. */
const FENCED_REMARK =
  /^ {0,3}:{3,}[ \t]*(?:\{[ \t]*)?\.?(?<label>[\w-]+)\}?(?:\[(?<bracketed>[^\]\n]*)\])?(?:\{[^}\n]*\})?[ \t]*(?<title>[^\n{}]*)/u;
const FENCE_END = /^ {0,3}:{3,}[ \t]*$/u;
/** Tags of Hugo, Jekyll and similar generators; attributes of kramdown, MkDocs and Pandoc; comments of MDX and Obsidian; queries of Logseq. */
const TEMPLATE_TAG =
  /\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}|\{\{[<%].*?[%>]\}\}|\{%-?.*?-?%\}|\{:[^}\n]*\}|(?<=[)\]])\{[ \t]*(?:(?:[#.][\w-]+|[\w-]+=(?:"[^"\n]*"|[\w.%-]+))[ \t]*)+\}|\{\/\*.*?\*\/\}|(?<!\S)%%[^%\n]*%%|\{\{(?:query|embed|renderer|namespace|video|youtube|tweet|twitter|pdf)\s.*?\}\}|\(\([\da-f]{8}-[\da-f-]{27}\)\)|^\s*(?:\[TOC\]|\[\[_?toc_?\]\])\s*$/giu;
/** Changes that CriticMarkup proposes, as if all were accepted, and without its comments. */
const asAccepted = (line: string): string =>
  line
    .replaceAll(/\{--.{0,500}?--\}|\{>>.{0,500}?<<\}/gu, '')
    .replaceAll(/\{\+\+(.{0,500}?)\+\+\}|\{==(.{0,500}?)==\}|\{~~[^~]{0,500}~>(.{0,500}?)~~\}/gu, '$1$2$3');
/** Lines that serve the program alone: MkDocs' includes, and what Logseq notes of a block. */
const UNSEEN_LINE =
  /^\s*;?-+8<-+(?:\s.*)?$|^\s*(?:[-*] )?(?:id|collapsed|background-color|heading|ls-type|hl-(?:page|color|type)|(?:logseq|card|query)[.-][\w.-]+):: .*$/u;
/** MkDocs' `*[HTML]: Hypertext Markup Language`. */
const ABBREVIATION = /^\*\[(?<term>[^\]\n]+)\]:[ \t]+(?<text>\S.*)$/u;
const INLINE_CODE = /(`+[^`\n]+`+)/u;
const OPEN_TAG = /\{%(?!.*%\})/u;
/** A comment of Jekyll that goes on in the next line. */
const OPEN_COMMENT = /\{%-?\s*comment\s*-?%\}(?!.*\{%-?\s*endcomment)/u;
/** The imports and exports of an MDX page, up to an empty line. */
const MODULE =
  /^(?:import\s(?:[^;]*?\sfrom\s+)?['"][^'"]+['"];?|export\s+(?:(?:const|let|function|class)\s+\w+[\s(=]|default\s|\*|\{))/u;
const FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})/u;

/** Converts the additions of these programs to standard Markdown. Fences stay unchanged. */
const asMarkdown = (text: string): string => linesAsMarkdown(text.split('\n'), 0).join('\n');

function linesAsMarkdown(written: readonly string[], depth: number): string[] {
  const lines: string[] = [];
  /** The open containers, and whether each becomes a quotation: some only serve the layout. */
  const open: boolean[] = [];
  let ends = written.filter((line) => FENCE_END.test(line)).length;
  let fence: string | null = null;
  const put = (line: string): void => void lines.push('> '.repeat(open.filter(Boolean).length) + line);
  for (let at = 0; at < written.length; at++) {
    let line = written[at]!;
    const mark = FENCE.exec(line)?.groups?.['mark'];
    if (fence !== null) {
      if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length) fence = null;
      put(line);
      continue;
    }
    const block = depth < DEEPEST_REMARK ? INDENTED.exec(line)?.groups : undefined;
    if (block !== undefined) {
      const below = new RegExp(`^${block['indent']}(?: {4}|\\t)`, 'u');
      const inside: string[] = [];
      for (let next = written[at + 1]; next?.trim() === '' || (next !== undefined && below.test(next));) {
        inside.push(next.replace(below, ''));
        at += 1;
        next = written[at + 1];
      }
      const { indent = '', label, title = '', tab } = block;
      put('');
      for (const each of [tab ?? `[!${label}] ${title}`, '', ...linesAsMarkdown(inside, depth + 1), ''])
        put(`${indent}${tab === undefined ? '> ' : ''}${each}`);
      put('');
      continue;
    }
    if (UNSEEN_LINE.test(line)) continue;
    const abbreviation = ABBREVIATION.exec(line)?.groups;
    if (abbreviation !== undefined) {
      for (const each of ['', abbreviation['term']!, `: ${abbreviation['text']!}`, '']) put(each);
      continue;
    }
    if (mark !== undefined) fence = mark;
    const after = tagEnd(written, at);
    if (after > at) {
      line = written.slice(at, after + 1).join(' ');
      at = after;
    }
    if (/^(?:import|export)\s/u.test(line)) {
      const blank = written.indexOf('', at);
      const end = blank === -1 ? written.length : blank;
      if (MODULE.test(written.slice(at, Math.min(end, at + LONGEST_MODULE)).join('\n'))) {
        at = end - 1;
        continue;
      }
    }
    if (FENCE_END.test(line)) {
      ends -= 1;
      put('');
      open.pop();
      lines.push('');
      continue;
    }
    const fenced = FENCED_REMARK.exec(line)?.groups;
    if (fenced === undefined) {
      put(
        line
          .split(INLINE_CODE)
          .map((piece, i) => (i % 2 === 0 ? asAccepted(piece).replaceAll(TEMPLATE_TAG, '') : piece))
          .join(''),
      );
      continue;
    }
    const { label = '', bracketed, title = '' } = fenced;
    const isRemark = LABELS[label.toLowerCase()] !== undefined;
    put('');
    // A remark that is never closed would include the rest of the page.
    if (ends > open.length && open.length < DEEPEST_REMARK) open.push(isRemark);
    if (isRemark && open.at(-1) === true) put(`[!${label}] ${bracketed ?? title.trim()}`);
    if (isRemark && open.at(-1) === true) put('');
  }
  return lines;
}

/** The line in which the template tag or comment ends that begins in this one and is still open at its end; the line itself if none is. */
function tagEnd(lines: readonly string[], at: number): number {
  if (OPEN_COMMENT.test(lines[at]!)) {
    const inside = lines.slice(at + 1, at + LONGEST_COMMENT);
    return at + 1 + inside.findIndex((line) => /\{%-?\s*endcomment\s*-?%\}/u.test(line));
  }
  if (!OPEN_TAG.test(lines[at]!)) return at;
  const following = lines.slice(at + 1, at + LONGEST_MODULE);
  const end = following.findIndex((line) => line.includes('%}') || line.trim() === '');
  return end === -1 || following[end]!.trim() === '' ? at : at + 1 + end;
}

/** The depth of remarks inside remarks; deeper ones are part of the last level. */
const DEEPEST_REMARK = 10;
/** The most lines of an import, an export or a template tag. */
const LONGEST_MODULE = 50;
/** The most lines of a comment. One that is longer, or never ends, is text. */
const LONGEST_COMMENT = 500;

/** `> [!NOTE]` of GitHub and Obsidian. */
const CALLOUT = /^\[!(?<label>[\w-]+)\][+-]?[ \t]*(?<title>[^\n]*)(?:\n|$)/u;
/** `# {{ page.title }}`, which stands for the title in the front matter. */
const PLACEHOLDER = /^\{\{[^}]*\}\}$/u;
/** `## Heading {#anchor .class}`, and docsify's mark to leave a heading out of its menu. */
const ATTRIBUTES =
  /\s*\{:?\s*(?:(?:#[\p{L}\p{N}_.:-]+|\.[\w-]+|-|docsify-ignore(?:-all)?|[\w-]+=(?:"[^"]*"|[^\s}]+))\s*)+\}\s*$/u;
const ANCHOR = /[{\s]#(?<anchor>[\p{L}\p{N}_.:-]+)/u;
/** `Term` with `: definition` on the next line, of PHP Markdown and Pandoc. */
const DEFINITION = /^(?<term>[^\n]{1,200})\n\s*:[ \t]+(?<text>[\s\S]+)$/u;

/** `<details>` with Markdown inside, between empty lines. */
const SUMMARY = /^<details\b[^>]*>\s*<summary\b[^>]*>(?<term>[\s\S]*?)<\/summary>\s*$/iu;

type Block = RootContent | BlockContent | DefinitionContent;

class Units {
  readonly all: Unit[] = [];

  addAll(nodes: readonly Block[], depth: number): void {
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at]!;
      const term = node.type === 'html' ? SUMMARY.exec(node.value)?.groups?.['term'] : undefined;
      const end =
        term === undefined
          ? -1
          : nodes.findIndex(
              (other, i) => i > at && other.type === 'html' && /^<\/details>/iu.test(other.value),
            );
      if (term === undefined || end === -1) this.add(node, depth);
      else {
        this.#details(squeezed(withoutTags(term)), nodes.slice(at + 1, end), depth);
        at = end;
      }
    }
  }

  /** A section that opens on a click, usually a question with its answer. */
  #details(term: string, nodes: readonly Block[], depth: number): void {
    const inside = new Units();
    inside.addAll(nodes, depth);
    const [first, ...rest] = inside.all;
    if (term !== '' && first?.kind === 'paragraph')
      this.all.push({ kind: 'definition', term, text: first.text }, ...rest);
    else {
      this.#paragraph(term);
      this.all.push(...inside.all);
    }
  }

  add(node: Block, depth: number): void {
    switch (node.type) {
      case 'heading': {
        const written = textOf(node.children);
        const attributes = ATTRIBUTES.exec(written)?.[0] ?? '';
        const anchor = ANCHOR.exec(attributes)?.groups?.['anchor'];
        const text = squeezed(written.replace(ATTRIBUTES, ''));
        if (text === '' || PLACEHOLDER.test(text)) return;
        this.all.push({ kind: 'heading', level: node.depth, text, anchor: anchor ?? anchorOf(text) });
        return;
      }
      case 'paragraph':
        this.#paragraph(textOf(node.children));
        return;
      case 'blockquote':
        this.#quote(node.children, depth);
        return;
      case 'list':
        this.#list(node, depth);
        return;
      case 'table':
        this.#table(node);
        return;
      case 'code':
        if (node.value.trim() === '') return;
        this.all.push({
          kind: 'code',
          text: node.value,
          ...(node.lang === null || node.lang === undefined ? {} : { language: node.lang }),
        });
        return;
      case 'footnoteDefinition':
        this.#footnote(node);
        return;
      case 'html':
        this.#html(node.value);
        return;
      // Running text outside a paragraph does not occur at this level; the other nodes have no visible text.
      case 'text':
      case 'emphasis':
      case 'strong':
      case 'delete':
      case 'inlineCode':
      case 'link':
      case 'linkReference':
      case 'image':
      case 'imageReference':
      case 'footnoteReference':
      case 'listItem':
      case 'tableRow':
      case 'tableCell':
      case 'break':
      case 'definition':
      case 'thematicBreak':
      case 'yaml':
        return;
    }
  }

  /** A browser would not show text in unclosed tags, but a reader of the file sees it. */
  #html(written: string): void {
    const units = unitsOfHtml(written);
    if (units.length > 0) this.all.push(...units);
    else this.#paragraph(withoutTags(written));
  }

  #paragraph(written: string): void {
    const { term, text } = DEFINITION.exec(written)?.groups ?? {};
    if (term !== undefined && text !== undefined) {
      this.all.push({ kind: 'definition', term: squeezed(term), text: squeezed(text) });
      return;
    }
    const shown = squeezed(written);
    if (shown !== '') this.all.push({ kind: 'paragraph', text: shown });
  }

  #quote(children: readonly Block[], depth: number): void {
    const [first] = children;
    const opening = first?.type === 'paragraph' ? textOf(first.children) : '';
    const { label, title } =
      CALLOUT.exec(opening)?.groups ?? (isLabelled(first) ? BOLD.exec(opening)?.groups : undefined) ?? {};
    if (label === undefined) {
      this.addAll(children, depth);
      return;
    }
    const rest = new Units();
    rest.#paragraph(opening.replace(CALLOUT.test(opening) ? CALLOUT : BOLD, ''));
    rest.addAll(children.slice(1), depth);
    const named = squeezed(title ?? '');
    // What stands in the line of the mark is the text where nothing is below it.
    const isAlone = rest.all.length === 0;
    if (isAlone) rest.#paragraph(named);
    const shown = isAlone || named === '' ? labelOf(label) : named;
    this.all.push(...rest.all.map((unit) => asNote(unit, shown)));
  }

  #footnote(node: FootnoteDefinition): void {
    const inside = new Units();
    for (const child of node.children) inside.add(child, 0);
    // Its name joins it with its reference; no reader sees it, because footnotes are shown with numbers.
    this.all.push(...inside.all.map((unit) => asNote(unit, '')));
  }

  #list(list: List, depth: number): void {
    for (const [i, item] of list.children.entries()) {
      const [first, ...others] = item.children;
      const box = item.checked === true ? '☑' : item.checked === false ? '☐' : undefined;
      const marker = box ?? (list.ordered === true ? `${(list.start ?? 1) + i}.` : undefined);
      const opening = first?.type === 'paragraph' ? squeezed(textOf(first.children)) : '';
      const rest = first?.type === 'paragraph' ? others : item.children;
      // Further paragraphs of an item belong to it as long as nothing else is between them.
      const lead = rest.findIndex(({ type }) => type !== 'paragraph');
      const joined = rest.slice(0, lead === -1 ? rest.length : lead);
      const text = [
        opening,
        ...joined.flatMap((node) => (node.type === 'paragraph' ? squeezed(textOf(node.children)) : [])),
      ]
        .filter((each) => each !== '')
        .join(' ');
      const points = joined.length === 0 && first?.type === 'paragraph' && isPointer(first.children);
      if (text !== '')
        this.all.push({
          kind: 'item',
          depth,
          text,
          ...(marker === undefined ? {} : { marker }),
          ...(points ? { points } : {}),
        });
      for (const node of rest.slice(joined.length)) this.add(node, depth + 1);
    }
  }

  #table(table: Table): void {
    const rows = table.children.map(({ children }) =>
      children.map((cell) => squeezed(textOf(cell.children))),
    );
    const [heads = [], ...body] = rows;
    const shown = body.length === 0 ? [heads] : body;
    for (const row of shown) {
      const cells = row.flatMap((text, i) =>
        text === '' ? [] : [{ head: body.length === 0 ? '' : (heads[i] ?? ''), text }],
      );
      if (cells.length > 0) this.all.push({ kind: 'row', cells });
    }
  }
}

/** Whether there is nothing but a link to another page of the folder, or to another place of the page. */
function isPointer(nodes: readonly PhrasingContent[]): boolean {
  const [only, ...others] = nodes.filter((node) => node.type !== 'text' || node.value.trim() !== '');
  if (only === undefined || others.length > 0) return false;
  if (only.type === 'link') return !ELSEWHERE.test(only.url);
  if (only.type === 'text') return /^\s*\[\[[^\]\n]+\]\]\s*$/u.test(only.value);
  return (only.type === 'emphasis' || only.type === 'strong') && isPointer(only.children);
}

/** A web address, an address for mail, or a file to download. */
const ELSEWHERE =
  /^(?:[a-z][a-z\d+.-]*:|\/\/)|\.(?:csv|docx?|gif|jpe?g|od[st]|pdf|png|pptx?|svg|xlsx?|zip)$/iu;

/** A quotation that begins with `**Note**`, GitHub's older form of a remark. */
const isLabelled = (node: Block | undefined): boolean =>
  node?.type === 'paragraph' &&
  node.children[0]?.type === 'strong' &&
  LABELS[squeezed(textOf(node.children[0].children)).toLowerCase().replace(/:$/u, '')] !== undefined;
const BOLD = /^(?<label>[\p{L}]+):?\s*/u;

/** Struck out by two tildes; one tilde makes a letter small elsewhere (`H~2~O`). */
const isStruck = (node: PhrasingContent): boolean =>
  node.type === 'delete' &&
  (node.children[0]?.position?.start.offset ?? 0) - (node.position?.start.offset ?? 0) === 2;

const STRUCK_TAG = /^<(?<end>\/?)(?:del|s|strike)\b/iu;

/** Without what is struck out, which no longer holds: by its marks, or between tags of HTML. */
function withoutStruck(nodes: readonly PhrasingContent[]): readonly PhrasingContent[] {
  let depth = 0;
  return nodes.filter((node) => {
    const end = node.type === 'html' ? STRUCK_TAG.exec(node.value)?.groups!['end'] : undefined;
    if (end !== undefined) depth = Math.max(0, depth + (end === '' ? 1 : -1));
    return depth === 0 && !isStruck(node);
  });
}

/** Whether a space before `next` would be left over: that is a footnote's mark, and no word follows it directly. */
const isSpaceOfMark = (next?: PhrasingContent, after?: PhrasingContent): boolean =>
  next?.type === 'footnoteReference' &&
  (after === undefined || (after.type === 'text' && !/^[\p{L}\p{N}]/u.test(after.value)));

/** The visible part of running text: without marks, link targets, comments, tags and what is struck out; line ends are kept. */
function textOf(nodes: readonly PhrasingContent[]): string {
  return withoutStruck(nodes)
    .map((node, i, all): string => {
      switch (node.type) {
        case 'text': {
          const shown = asObsidianShows(node.value);
          return isSpaceOfMark(all[i + 1], all[i + 2]) ? shown.trimEnd() : shown;
        }
        case 'inlineCode':
          return node.value;
        case 'break':
          return '\n';
        case 'html':
          return /^<br\b/iu.test(node.value) ? '\n' : '';
        case 'image':
        case 'imageReference':
        case 'footnoteReference':
          return '';
        case 'emphasis':
        case 'strong':
        case 'delete':
        case 'link':
        case 'linkReference':
          return textOf(node.children);
      }
    })
    .join('');
}

/** `[[Page|shown]]`, `[[Page#Heading]]`, `![[file]]` (which includes another file), `==marked==`, and block names. */
const asObsidianShows = (text: string): string =>
  text
    .replaceAll(/!\[\[[^\]\n]*\]\]/gu, '')
    .replaceAll(/\[\[(?:[^\]|\n]*\|)?(?<shown>[^\]|\n]+)\]\]/gu, (_, shown: string) =>
      shown.replace(/^#/u, '').replaceAll(/(?<=\S)#\^?(?=\S)/gu, ' > '),
    )
    .replaceAll(/(?<![\p{L}\p{N}=])==(?<marked>[^\s=](?:[^=\n]*[^\s=])?)==(?![\p{L}\p{N}=])/gu, '$<marked>')
    .replace(/\s\^[A-Za-z0-9-]{4,}$/u, '');

/** HTML tags and comments are removed; a block element ends a line. */
const withoutTags = (html: string): string =>
  html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/gu, '')
    .replaceAll(/<(?<name>script|style|del|strike|s)\b[\s\S]*?(?:<\/\k<name>\s*>|$)/giu, '')
    .replaceAll(/<[^>]*>/gu, ' ');

const LABELS: Readonly<Record<string, string>> = {
  note: 'Note',
  info: 'Info',
  tip: 'Tip',
  hint: 'Hint',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
  danger: 'Danger',
  success: 'Success',
  question: 'Question',
  example: 'Example',
  seealso: 'See also',
  hinweis: 'Hinweis',
  achtung: 'Achtung',
};

const labelOf = (name: string): string => LABELS[name.toLowerCase()] ?? name;

/** GitHub's anchor of a heading. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/gu, '-');
