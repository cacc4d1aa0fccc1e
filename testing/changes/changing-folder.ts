import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What happens to files of a base. `copy` gives a second file the id of another one; `base` is a file of the base itself. */
export const CHANGES = ['add', 'edit', 'rename', 'remove', 'break', 'mend', 'touch', 'copy', 'base'] as const;
export type ChangeKind = (typeof CHANGES)[number];

/** How often each is drawn. */
const WEIGHTS: Readonly<Record<ChangeKind, number>> = {
  add: 20,
  edit: 35,
  rename: 12,
  remove: 12,
  break: 7,
  mend: 7,
  touch: 4,
  copy: 2,
  base: 0.5,
};

/** A file of the folder: what it says, and whether it says it. */
export interface Allowance {
  readonly path: string;
  /** A word that only this file and copies of it have. */
  readonly name: string;
  /** What it says of the allowance; each version has another one. */
  readonly euros: number;
  readonly isBroken: boolean;
}

interface FolderOptions {
  readonly folder: string;
  readonly random: () => number;
  readonly kinds?: readonly ChangeKind[];
  /** About how many files there are. */
  readonly files?: number;
}

/** The folder of a base in which files change at random. Each file says how high an allowance of its own is. */
export class ChangingFolder {
  readonly folder: string;
  readonly #random: () => number;
  readonly #kinds: readonly ChangeKind[];
  readonly #most: number;
  readonly #files = new Map<string, Allowance>();
  #named = 0;
  #euros = 100;
  #minutes = 0;

  private constructor({ folder, random, kinds = CHANGES, files = 60 }: FolderOptions) {
    this.folder = folder;
    this.#random = random;
    this.#kinds = kinds;
    this.#most = files;
  }

  static async create(options: FolderOptions): Promise<ChangingFolder> {
    const changing = new ChangingFolder(options);
    await mkdir(options.folder, { recursive: true });
    for (let n = 0; n < changing.#most / 2; n++) await changing.#add();
    return changing;
  }

  /** What the files say at present. */
  get allowances(): readonly Allowance[] {
    return [...this.#files.values()];
  }

  /** Questions about what the folder has, about what it had before, and about what many files have. */
  questions(count: number): string[] {
    const names = Array.from({ length: count }, () => nameOf(Math.floor(this.#random() * (this.#named + 1))));
    return [
      ...names.map(questionAbout),
      ...WORDS.slice(0, 8),
      'Schichtzulagen',
      'Arbeitszeitkonten der Nachtarbeit',
    ];
  }

  /** Makes one change that is drawn at random. */
  async change(): Promise<ChangeKind> {
    const kind = this.#draw();
    await this.#apply(kind);
    return kind;
  }

  #draw(): ChangeKind {
    const isFull = this.#files.size >= this.#most;
    const isBroken = this.allowances.some((file) => file.isBroken);
    const kinds = this.#kinds.filter(
      (kind) =>
        !(isFull && (kind === 'add' || kind === 'copy')) &&
        !(kind === 'mend' && !isBroken) &&
        !(this.#files.size < 5 && kind === 'remove'),
    );
    let at = this.#random() * kinds.reduce((sum, kind) => sum + WEIGHTS[kind], 0);
    return kinds.find((kind) => (at -= WEIGHTS[kind]) < 0) ?? 'edit';
  }

  async #apply(kind: ChangeKind): Promise<void> {
    switch (kind) {
      case 'add':
        return this.#add();
      case 'edit':
        return this.#write({ ...this.#pick(), euros: ++this.#euros, isBroken: false });
      case 'rename': {
        const file = this.#pick();
        const path = this.#path(extensionOf(file.path));
        await mkdir(dirname(join(this.folder, path)), { recursive: true });
        await rename(join(this.folder, file.path), join(this.folder, path));
        this.#files.delete(file.path);
        this.#files.set(path, { ...file, path });
        return;
      }
      case 'remove': {
        const { path } = this.#pick();
        this.#files.delete(path);
        return rm(join(this.folder, path));
      }
      case 'break':
        return this.#write({ ...this.#pick(), isBroken: true });
      case 'mend':
        return this.#write({ ...this.#pick((file) => file.isBroken), isBroken: false });
      case 'touch':
        return this.#setTime(this.#pick().path);
      case 'copy':
        return this.#write({ ...this.#pick(), path: this.#path('md') });
      case 'base':
        return writeFile(
          join(this.folder, 'synonyms.txt'),
          `Bonus => Zulage\nGeld ${++this.#euros} => Entgelt\n`,
        );
    }
  }

  #add(): Promise<void> {
    // A document is parsed by a process of its own, which costs more than all else.
    const extension = this.#random() < 0.95 ? 'md' : 'txt';
    const file = { name: nameOf(++this.#named), euros: ++this.#euros, isBroken: false };
    return this.#write({ ...file, path: this.#path(extension) });
  }

  #path(extension: string): string {
    const folder = ['', 'a/', 'a/b/', 'c/'][Math.floor(this.#random() * 4)]!;
    return `${folder}${Math.floor(this.#random() * 1e9).toString(36)}.${extension}`;
  }

  #pick(is: (file: Allowance) => boolean = () => true): Allowance {
    const files = this.allowances.filter(is);
    return files[Math.floor(this.#random() * files.length)]!;
  }

  async #write(file: Allowance): Promise<void> {
    this.#files.set(file.path, file);
    const path = join(this.folder, file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, this.#textOf(file));
    // Half of the files look as if they had been written long ago, so that they are not read again.
    if (this.#random() < 0.5) await this.#setTime(file.path);
  }

  /** A time that no other file has, so that it tells of the change. */
  #setTime(path: string): Promise<void> {
    const time = new Date(Date.UTC(2015, 0, 1, 0, ++this.#minutes));
    return utimes(join(this.folder, path), time, time);
  }

  #textOf({ path, name, euros, isBroken }: Allowance): string {
    const words = Array.from({ length: 20 }, () => WORDS[Math.floor(this.#random() * WORDS.length)]!);
    const text = `Die Zulage ${name} beträgt ${euros} Euro im Monat. Sie gilt auch für ${words.join(', ')}.`;
    if (extensionOf(path) === 'txt') return isBroken ? '' : `Zulage ${name}\n\n${text}\n`;
    const id = isBroken ? '' : `id: Z-${name}\n`;
    return `---\n${id}title: Zulage ${name}\nsection: ""\nstand: 2021-07\nwork: Tarif\nlang: de\n---\n\n${text}\n`;
  }
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

export const questionAbout = (name: string): string => `Wie hoch ist die Zulage ${name}?`;

/** What an answer says of allowances. */
export const allowancesIn = (answer: string): { name: string; euros: number }[] =>
  [...answer.matchAll(/Zulage (?<name>\p{L}+) beträgt (?<euros>\d+) Euro/gu)].map(({ groups }) => ({
    name: groups!['name']!,
    euros: Number(groups!['euros']),
  }));

/** The key of an allowance with its present amount. */
export const keyOf = ({ name, euros }: { readonly name: string; readonly euros: number }): string =>
  `${name} ${euros}`;

/** A word of syllables that no language has. */
function nameOf(number: number): string {
  let word = '';
  for (let rest = number + 5_000; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]!;
  return `X${word}`;
}

const SYLLABLES = ['ka', 'lo', 'mi', 'ru', 'te', 'bo', 'na', 'zi', 'fu', 'ge', 'po'];

/** Words that are parts of others, so that one that comes or goes changes how others are split. */
const WORDS = [
  'Schicht',
  'Nacht',
  'Nachtschicht',
  'Nachtschichten',
  'Spätschicht',
  'Schichtzulage',
  'Zulagen',
  'Entgelt',
  'Entgeltfortzahlung',
  'Fortzahlung',
  'Arbeit',
  'Arbeitszeit',
  'Zeit',
  'Zeitkonto',
  'Arbeitszeitkonto',
  'Urlaub',
  'Urlaubstage',
  'Tage',
  'Nachtarbeitszeitzulage',
  'Feiertag',
];
