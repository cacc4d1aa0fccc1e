import { plainText } from '../plain-text.ts';

/** Definitions elsewhere in the file that running text refers to. */
export interface Named {
  /** The substitutions, written `|name|`, by name. */
  readonly substitutions: ReadonlyMap<string, string>;
  /** Headings, by the label before them. */
  readonly headings: ReadonlyMap<string, string>;
}

const INLINE = new RegExp(
  [
    String.raw`\\(?<escaped>[\s\S])`,
    String.raw`\x60\x60(?<code>[\s\S]+?)\x60\x60`,
    String.raw`:(?<role>[A-Za-z][\w:+.-]*):\x60(?<roled>(?:\\[\s\S]|[^\x60\\])+)\x60`,
    String.raw`_?\x60(?<quoted>(?:\\[\s\S]|[^\x60\\])+)\x60(?<suffix>__?(?!\w)|:[A-Za-z][\w:+.-]*:)?`,
    String.raw`\s?\[(?<note>#[\w-]*|\*|\d+)\]_(?!\w)`,
    String.raw`\[(?<cited>[\p{L}\p{N}][\w.-]*)\]_(?!\w)`,
    String.raw`\|(?<name>[^\s|](?:[^|\n]*[^\s|])?)\|(?:__?(?!\w))?`,
    String.raw`(?<![\p{L}\p{N}*])\*\*(?=\S)(?<strong>[^*]+?|[\s\S]+?\S)\*\*(?![\p{L}\p{N}*])`,
    String.raw`(?<![\p{L}\p{N}*])\*(?=[^\s*])(?<emphasis>[^*]*[^\s*])\*(?![\p{L}\p{N}*])`,
    String.raw`(?<![\p{L}\p{N}_.:/-])(?<word>[\p{L}\p{N}]+(?:[-_.+:][\p{L}\p{N}]+)*)__?(?![\p{L}\p{N}_])`,
  ].join('|'),
  'gu',
);
/** A role or link of the form `text <target>`. */
const TARGET = /^(?<shown>[\s\S]*\S)\s*<(?<target>[^<>]+)>$/u;
/** Roles without visible text: index entries, markup of another language. */
const UNSEEN_ROLES = new Set(['index', 'raw', 'raw-html']);

/** Running text as a reader sees it. */
export function inlineText(written: string, named: Named): string {
  return plainText(read(written, named));
}

function read(written: string, named: Named): string {
  return written.replaceAll(INLINE, (...found: unknown[]) => {
    const [whole] = found as [string];
    const { escaped, code, role, roled, quoted, suffix, note, cited, name, strong, emphasis, word } =
      found.at(-1) as Record<string, string | undefined>;
    if (escaped !== undefined) return /\s/u.test(escaped) ? '' : escaped;
    if (code !== undefined) return code;
    if (roled !== undefined) return roleText(role!, roled, named);
    if (quoted !== undefined)
      return suffix?.startsWith(':') === true
        ? roleText(suffix.slice(1, -1), quoted, named)
        : unescaped(TARGET.exec(quoted)?.groups?.['shown'] ?? linkText(quoted));
    if (note !== undefined) return '';
    if (cited !== undefined) return `[${cited}]`;
    if (name !== undefined) {
      const put = named.substitutions.get(name.toLowerCase());
      return put === undefined ? whole : put.includes(`|${name}|`) ? put : read(put, NONE);
    }
    const marked = strong ?? emphasis;
    return marked === undefined ? word! : read(marked, named);
  });
}

/** No definitions, for the text of a substitution, which has no further references. */
const NONE: Named = { substitutions: new Map(), headings: new Map() };

/** The text of a link; of `<https://example.org>` it is the address. */
const linkText = (quoted: string): string => /^<(?<url>[^<>]+)>$/u.exec(quoted)?.groups?.['url'] ?? quoted;

const unescaped = (text: string): string =>
  text.replaceAll(/\\([\s\S])/gu, (_, letter: string) => (/\s/u.test(letter) ? '' : letter));

function roleText(role: string, written: string, { headings }: Named): string {
  if (UNSEEN_ROLES.has(role)) return '';
  const text = unescaped(written);
  const shown = TARGET.exec(text)?.groups?.['shown'];
  if (shown !== undefined) return shown;
  if (/^(?:ref|numref|doc|any|std:ref)$/u.test(role)) return headings.get(text.toLowerCase()) ?? text;
  if (role === 'pep' || role === 'rfc') return `${role.toUpperCase()} ${text}`;
  // `~os.path.join` shows only its last part, and `!x` is no link.
  return text.startsWith('~') ? text.slice(1).split('.').at(-1)! : text.replace(/^!/u, '');
}
