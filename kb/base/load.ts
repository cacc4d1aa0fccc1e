import { detectLanguage } from '../analysis/analysis.ts';
import { atOnce, TO_NUMBER, type Steps } from '../steps.ts';
import type { Source } from '../source.ts';
import { KnowledgeBaseInvalid, WHOLE_FOLDER, type Fault } from './faults.ts';
import { parseAbout, type AboutBase } from './about.ts';
import { readBase, type BaseFile, type BaseFiles } from './files.ts';
import { ABOUT_FILE, OWN_FILES, REVIEW_FILE, RULES_FILE, SYNONYMS_FILE } from './walk.ts';
import { parseDocuments, type ParsedDocument, type ParseOptions } from '../documents/parse.ts';
import { textsOf } from '../documents/passages.ts';
import { CONTROL, sourcesOf } from '../documents/sources.ts';
import { checkFields, isSource, LISTS, parseFrontMatter, type Field } from './front-matter.ts';
import { parseReview } from '../review/load.ts';
import { isPlainText } from '../documents/kinds.ts';
import type { ReviewBase } from '../review/review-base.ts';
import { decode, decodeAny, decodeTold, GUESSED, NOT_TEXT, withLineFeeds } from '../text/decode.ts';
import { leftByGit } from '../text/of-git.ts';
import { parseSynonyms, type SynonymGroup } from './synonyms.ts';
import { A_STEP, placing, placingChange, type FileChanges, type SourcesOfFile } from './placing.ts';
import { yearOf } from './year.ts';
import { beyondLimits, isLongName, shortName, withoutEndlessWords } from '../text-limits.ts';

export interface KnowledgeBase {
  /** Sorted by id. */
  readonly sources: readonly Source[];
  readonly synonyms: readonly SynonymGroup[];
  /** The content of `base.yaml`; `null` without one. */
  readonly about: AboutBase | null;
  readonly review: ReviewBase;
  readonly warnings: readonly Fault[];
  /** The files of the sources, and the faults of files without sources. */
  readonly files: FilesRead;
}

/** How many files with passages were read, and why others were left out. */
export interface FilesRead {
  readonly read: number;
  readonly leftOut: readonly Fault[];
}

/** Counts files and not faults, because a file may have several. */
export const countLeftOut = ({ leftOut }: FilesRead): number =>
  new Set(leftOut.map(({ file }) => file).filter((file) => !OWN_FILES.includes(file))).size;

/** The most reasons that are listed. */
const MAX_REASONS = 10;
/** Replaces all faults within a file, because a count of them would say little. */
const INSIDE = 'has faults in it';

/** Why files were left out, with the number of files for each reason, the most frequent first; without file names. */
export function whyLeftOut({ leftOut }: FilesRead): { reason: string; files: number }[] {
  const first = new Map(
    leftOut.toReversed().map(({ file, line, message }) => [file, line === 0 ? message : INSIDE]),
  );
  for (const own of OWN_FILES) first.delete(own);
  const reasons = Map.groupBy(first.values(), (reason) => reason);
  return [...reasons]
    .map(([reason, { length: files }]) => ({ reason, files }))
    .toSorted((a, b) => b.files - a.files || (a.reason < b.reason ? -1 : 1))
    .slice(0, MAX_REASONS);
}

/** The numbers of read and left-out files in words (`312 of 317 files, 5 left out`), with the reasons. */
export function tellFiles(files: FilesRead): string {
  const left = countLeftOut(files);
  const all = files.read + left;
  if (left === 0) return `${all} ${all === 1 ? 'file' : 'files'}`;
  const why = whyLeftOut(files).map(({ reason, files: count }) => `${reason} (${count})`);
  return `${files.read} of ${all} files, ${left} left out: ${why.join('; ')}`;
}

/**
 * Loads a base from its folder. A file that cannot be used is listed in `files`, and the rest is loaded.
 *
 * @throws KnowledgeBaseInvalid with every fault if no source is left, or if `base.yaml`, the synonyms, or the
 * vocabulary or the rules of reviews have a fault
 */
export const loadKnowledgeBase = async (folder: string): Promise<KnowledgeBase> =>
  parseBase(await readBase(folder), { cacheDir: null });

/** Like `loadKnowledgeBase`, from files that are already read. */
export const parseBase = async (found: BaseFiles, options: ParseOptions): Promise<KnowledgeBase> =>
  parseKnowledgeBase(found, await parseDocuments(documentsIn(found.files), options));

/** The files among these that are to be parsed as documents. */
export const documentsIn = (files: readonly BaseFile[]): BaseFile[] =>
  files.filter((file) => !OWN_FILES.includes(file.path) && !isSourceFile(file));

/** Whether the file is a source with our front matter. If it is no text, the parser reports it. */
export const isSourceFile = ({ path, bytes }: BaseFile): boolean =>
  /\.md$/iu.test(path) && isSource(decodeAny(bytes) ?? '');

/** What one file contributes to a base, independent of other files. */
export interface FileContent extends SourcesOfFile {
  /** The text of a file of the base itself, such as its synonyms; absent if it is no text. */
  readonly text?: string;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
  /** Unknown fields; the message is the name. */
  readonly unknown: readonly Fault[];
}

/**
 * Assembles a base from its files and the documents among them, which were already parsed.
 *
 * @throws KnowledgeBaseInvalid as `loadKnowledgeBase`
 */
export function parseKnowledgeBase(
  found: BaseFiles,
  documents: readonly ParsedDocument[] = [],
): KnowledgeBase {
  return atOnce(assembling(contentsOf(found.files, documents), found));
}

/** The contribution of each file. */
export function contentsOf(
  files: readonly BaseFile[],
  documents: readonly ParsedDocument[],
  about: AboutBase | null = aboutIn(files),
): FileContent[] {
  const parsed = new Map(documents.map((document) => [document.path, document]));
  return files.map((file) => {
    if (OWN_FILES.includes(file.path)) return ownFile(file);
    const document = parsed.get(file.path);
    return document === undefined ? sourceFile(file) : documentFile(file, document, about);
  });
}

function aboutIn(files: readonly BaseFile[]): AboutBase | null {
  const file = files.find(({ path }) => path === ABOUT_FILE);
  const { text } = file === undefined ? {} : ownFile(file);
  return text === undefined ? null : (parseAbout(text, () => undefined) ?? null);
}

const NOTHING: readonly never[] = [];
const CONTENT = { sources: NOTHING, idLine: 0, faults: NOTHING, warnings: NOTHING, unknown: NOTHING };

function ownFile(file: BaseFile): FileContent {
  const faults: Fault[] = [];
  const text = textOf(file, faults);
  const { path } = file;
  return { ...CONTENT, path, kind: 'own', ...(text === undefined ? { faults } : { text }) };
}

function sourceFile(file: BaseFile): FileContent {
  const { path } = file;
  const faults: Fault[] = [];
  const warnings: Fault[] = [];
  const unknown: Fault[] = [];
  const text = textOrOther(file, faults, warnings);
  const parsed = text === undefined ? undefined : parseSource(path, text, faults, warnings, unknown);
  return {
    path,
    kind: 'source',
    sources: parsed === undefined ? NOTHING : [parsed.source],
    idLine: parsed?.idLine ?? 0,
    faults: faults.length === 0 ? NOTHING : faults,
    warnings: warnings.length === 0 ? NOTHING : warnings,
    unknown: unknown.length === 0 ? NOTHING : unknown,
  };
}

function documentFile(
  file: BaseFile,
  { document, fault = 'has no text' }: ParsedDocument,
  about: AboutBase | null,
): FileContent {
  const { path } = file;
  const sources = document === undefined ? [] : sourcesOf(document, file, about);
  const faults = sources.length === 0 ? [{ file: path, line: 0, message: fault }] : NOTHING;
  const beyond = [...(document?.units.flatMap(textsOf) ?? []), ...sources.map(({ text }) => text)].flatMap(
    beyondLimits,
  );
  const guessedFrom = sources.length > 0 && isPlainText(path) ? decodeTold(file.bytes)?.guessedFrom : null;
  const warnings = [
    ...(typeof guessedFrom === 'number' ? [{ file: path, line: guessedFrom, message: GUESSED }] : []),
    ...[...new Set(beyond.map(({ message }) => message))].map((message) => ({
      file: path,
      line: 0,
      message,
    })),
  ];
  return { ...CONTENT, path, kind: 'document', sources, faults, warnings };
}

/** What the folder has besides the files that were read. */
type BesideFiles = Pick<BaseFiles, 'unread' | 'others'>;

/** How a base differs from the base before, with the sources of that base. */
interface ChangeOfBase {
  readonly before: readonly Source[];
  /** The files that differ from those of the base before. */
  readonly files: FileChanges;
}

/**
 * Assembles a base from the contributions of its files, sorted by path, step by step. A source of the same file with
 * the same id and year is the same object each time.
 *
 * @param change the base before, and the files that have changed since; without it, all sources are placed again
 * @throws KnowledgeBaseInvalid as `loadKnowledgeBase`
 */
export function* assembling(
  contents: readonly FileContent[],
  { unread, others }: BesideFiles,
  change: ChangeOfBase | null = null,
): Steps<KnowledgeBase> {
  const faults: Fault[] = unread.filter(({ file }) => !OWN_FILES.includes(file));
  /** Faults in the files of the base itself. */
  const broken: Fault[] = unread.filter(({ file }) => OWN_FILES.includes(file));
  const warnings: Fault[] = [];
  const unknown: Fault[] = [];
  const texts = new Map<string, string>();
  for (const [number, content] of contents.entries()) {
    if (number % A_STEP === 0) yield TO_NUMBER * A_STEP;
    const { kind, path, text } = content;
    if (content.faults.length > 0) (kind === 'own' ? broken : faults).push(...content.faults);
    if (content.warnings.length > 0) warnings.push(...content.warnings);
    if (content.unknown.length > 0) unknown.push(...content.unknown);
    if (text !== undefined) texts.set(path, text);
  }
  const faultIn =
    (file: string) =>
    (line: number, message: string): void =>
      void broken.push({ file, line, message });
  const aboutText = texts.get(ABOUT_FILE);
  const about = aboutText === undefined ? null : (parseAbout(aboutText, faultIn(ABOUT_FILE)) ?? null);
  const changed = change === null ? null : yield* placingChange(change.files, about, change.before);
  const placed = changed ?? (yield* placing(contents, about, change?.before ?? []));
  const { sources, read } = placed;
  faults.push(...placed.faults);
  const base = {
    synonyms: parseSynonyms(texts.get(SYNONYMS_FILE) ?? '', faultIn(SYNONYMS_FILE)),
    about,
    review: parseReview({ vocabulary: texts.get(REVIEW_FILE), rules: texts.get(RULES_FILE) }, sources, {
      vocabulary: faultIn(REVIEW_FILE),
      rules: faultIn(RULES_FILE),
      // A rule is left out if the file that it depends on was left out.
      withoutSource:
        faults.length === 0
          ? faultIn(RULES_FILE)
          : (line, message) => void faults.push({ file: RULES_FILE, line, message }),
    }),
  };
  if (sources.length === 0 && faults.length === 0) {
    faults.push({
      file: WHOLE_FOLDER,
      line: 0,
      message: 'the folder of the knowledge base has no document that can be read',
    });
  }
  if (sources.length === 0 || broken.length > 0)
    throw new KnowledgeBaseInvalid([...broken, ...faults].sort(byPlace));
  warnings.push(...noteOn(unknown), ...noteOnOthers(others));
  return {
    sources,
    ...base,
    warnings: warnings.sort(byPlace),
    files: { read, leftOut: faults.sort(byPlace) },
  };
}

/** A single note on all unknown fields, because other programs may write them into every file. */
function noteOn(unknown: readonly Fault[]): Fault[] {
  const [first] = unknown;
  if (first === undefined) return [];
  const names = [...new Set(unknown.map(({ message }) => message))];
  const files = new Set(unknown.map(({ file }) => file)).size;
  const message = `fields that are not known are ignored: ${names.slice(0, 20).join(', ')}`;
  return [{ ...first, message: files === 1 ? message : `${message} (in ${files} files)` }];
}

/** A single line on other files in the folder, such as pictures, so that nobody thinks that they were read. */
function noteOnOthers(others: BaseFiles['others']): Fault[] {
  if (others.size === 0) return [];
  const kinds = [...others]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, 20)
    .map(([extension, count]) => `${extension === '' ? 'without an ending' : `.${extension}`} (${count})`);
  return [
    { file: WHOLE_FOLDER, line: 0, message: `files that are no documents are not read: ${kinds.join(', ')}` },
  ];
}

/** Keeps only web addresses, because opening another one could start a program. */
function urlOf({ value, line }: Field, warn: (line: number, message: string) => void): { url?: string } {
  if (value === '') return {};
  if (value.length <= MAX_URL && /^https?:\/\//iu.test(value) && URL.canParse(value)) return { url: value };
  warn(line, 'url is not shown: it must begin with http:// or https://');
  return {};
}

const MAX_URL = 2_000;

function byPlace(a: Fault, b: Fault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}

/**
 * The text with `\n` line ends and without a byte-order mark. Reports a fault if the file is no text, or if Git has
 * left something else in its place.
 */
function textOf({ path, bytes }: BaseFile, faults: Fault[]): string | undefined {
  const ofGit = leftByGit(path, bytes);
  if (ofGit !== undefined) {
    faults.push({ file: path, ...ofGit });
    return undefined;
  }
  const decoded = decode(bytes);
  if (decoded.text !== undefined) return withLineFeeds(decoded.text);
  faults.push({ file: path, line: decoded.line, message: NOT_TEXT });
  return undefined;
}

/** Like `textOf`, for a file with a passage. Such a file may also be in an old code page; then there is a warning. */
function textOrOther(file: BaseFile, faults: Fault[], warnings: Fault[]): string | undefined {
  const decoded = decodeTold(file.bytes);
  if (decoded === undefined || leftByGit(file.path, file.bytes) !== undefined) return textOf(file, faults);
  const { text, guessedFrom: line } = decoded;
  if (line !== null) warnings.push({ file: file.path, line, message: GUESSED });
  return text;
}

/** Reads a source, with the line of its id. Fields that are not known are added to `unknown`, each name as a message. */
function parseSource(
  file: string,
  text: string,
  faults: Fault[],
  warnings: Fault[],
  unknown: Fault[],
): { readonly source: Source; readonly idLine: number } | undefined {
  const faultsBefore = faults.length;
  const fault = (line: number, message: string): void => void faults.push({ file, line, message });
  const matter = parseFrontMatter(text);
  if (matter === undefined) {
    fault(1, 'has no front matter (--- lines around id, title, section, stand, work)');
    return undefined;
  }
  for (const { line, message } of matter.errors) fault(line, message);
  // The fields are not checked then, because a field that seems to be missing may be in the part that could not be
  // parsed.
  if (matter.errors.length > 0) return undefined;
  const clean = (value: string, line: number): string => {
    const at = value.search(CONTROL);
    if (at === -1) return value;
    const message = 'control characters were replaced by spaces';
    warnings.push({ file, line: line + value.slice(0, at).split('\n').length - 1, message });
    return value.replaceAll(CONTROL, ' ');
  };
  const field = (name: string): Field => {
    const { value, line } = matter.fields.get(name) ?? { value: '', line: 1 };
    return { value: clean(value, line).trim(), line };
  };
  checkFields(matter, fault, (line, name) => unknown.push({ file, line, message: name }));
  const bodyLine = text.slice(0, matter.bodyStart).split('\n').length;
  const below = clean(text.slice(matter.bodyStart), bodyLine);
  const body = below.trim();
  if (body === '') fault(bodyLine, 'has no text');
  if (faults.length > faultsBefore) return undefined;
  const lines = LISTS.flatMap((name) => {
    const items = matter.lists.get(name);
    return items === undefined ? [] : [[name, items.map(({ value, line }) => clean(value, line).trim())]];
  });
  for (const { at, message } of beyondLimits(body)) {
    const line = bodyLine + below.slice(0, below.indexOf(body) + at).split('\n').length - 1;
    warnings.push({ file, line, message });
  }
  const name = (of: string): string => {
    const { value, line } = field(of);
    if (isLongName(value)) warnings.push({ file, line, message: `${of} is cut: it is too long to be shown` });
    return shortName(value);
  };
  const { value: id, line: idLine } = field('id');
  const title = name('title');
  const section = name('section');
  const stated = field('lang').value;
  const source: Source = {
    id,
    title,
    section,
    stand: field('stand').value,
    work: name('work'),
    lang: stated === 'de' || stated === 'en' ? stated : detectLanguage(body.slice(0, 2000)),
    year: yearOf(id, title, section),
    text: withoutEndlessWords(body),
    ...(field('only_for').value === '' ? {} : { forReviews: true as const }),
    ...urlOf(field('url'), (line, message) => warnings.push({ file, line, message })),
    ...(Object.fromEntries(lines) as Pick<Source, (typeof LISTS)[number]>),
  };
  return { source, idLine };
}
