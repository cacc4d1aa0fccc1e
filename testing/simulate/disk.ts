import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { kindOfStream } from './fault-cells.ts';
import type { Simulation } from './simulation.ts';
import type { World } from './world.ts';

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly length: number };

/** A file as programs see it, and as a power cut would leave it. */
class File {
  content = Buffer.alloc(0);
  durable = Buffer.alloc(0);
  /** The changes since the last sync. */
  pending: Change[] = [];

  change(change: Change): void {
    this.content = applied(this.content, change);
    this.pending.push(change);
  }

  sync(): void {
    this.durable = this.content;
    this.pending = [];
  }

  /** Each unsynced change survives, is torn, or is lost. Returns whether anything is missing. */
  losePower(simulation: Simulation): boolean {
    let survived = this.durable;
    for (const change of this.pending) {
      const fate = simulation.random();
      if (fate < 0.4) survived = applied(survived, change);
      else if (fate < 0.7 && 'bytes' in change) {
        const bytes = change.bytes.subarray(0, simulation.whole(change.bytes.length + 1));
        survived = applied(survived, { at: change.at, bytes });
      }
    }
    const damaged = !survived.equals(this.content);
    this.content = this.durable = survived;
    this.pending = [];
    return damaged;
  }
}

function applied(content: Buffer, change: Change): Buffer<ArrayBuffer> {
  const length =
    'length' in change ? change.length : Math.max(content.length, change.at + change.bytes.length);
  const next = Buffer.alloc(length);
  content.copy(next, 0, 0, Math.min(content.length, length));
  if ('bytes' in change) change.bytes.copy(next, change.at);
  return next;
}

const fault = (code: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: simulated disk`), { code, syscall: 'simulated' });

/** The files of one machine. Unsynced data survives the death of processes, but no power cut. */
export class Disk {
  /** If true, nothing more fits. */
  full = false;
  /** If true, syncs fail. */
  failing = false;
  readonly #world: World;
  /** Called with the kind of stream of a file before each write. */
  readonly #onWrite: (kind: string) => void;
  #names = new Map<string, File>();
  readonly #durableNames = new Map<string, File>();

  constructor(world: World, onWrite: (kind: string) => void) {
    this.#world = world;
    this.#onWrite = onWrite;
  }

  /** Switches the machine off: unsynced data and names are torn or lost. */
  losePower(): void {
    const kept = new Map<string, File>();
    for (const path of new Set([...this.#names.keys(), ...this.#durableNames.keys()])) {
      const [now, durable] = [this.#names.get(path), this.#durableNames.get(path)];
      const file = now === durable || this.#world.simulation.chance(0.5) ? now : durable;
      if (file !== undefined) kept.set(path, file);
      if (file !== now) this.#world.faultLog.hit('lost write', kindOfFile(path, now));
    }
    for (const [path, file] of kept) {
      this.#durableNames.set(path, file);
      const kind = kindOfFile(path, file);
      if (file.losePower(this.#world.simulation)) this.#world.faultLog.hit('lost write', kind);
    }
    this.#names = kept;
  }

  async readFile(path: string, options?: unknown): Promise<Buffer | string> {
    const content = await this.#do(() => Buffer.from(this.#find(path).content));
    return options === 'utf8' ? content.toString('utf8') : content;
  }

  async writeFile(
    path: string,
    content: string | Uint8Array | Iterable<Uint8Array>,
    options?: { flush?: boolean },
  ): Promise<void> {
    const file = await this.open(path, 'w');
    await file.truncate(0);
    const isWhole = typeof content === 'string' || content instanceof Uint8Array;
    let at = 0;
    for (const piece of isWhole ? [Buffer.from(content)] : content) {
      await file.writeFile(piece, at);
      at += piece.length;
    }
    if (options?.flush === true) await file.sync();
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#do(() => {
      this.#names.set(to, this.#find(from));
      this.#names.delete(from);
    });
  }

  /** Removes a folder with its content. */
  async rm(path: string): Promise<void> {
    await this.#do(() => {
      for (const name of this.#names.keys())
        if (name === path || name.startsWith(`${path}/`)) this.#names.delete(name);
    });
  }

  async mkdir(): Promise<void> {
    await this.#do(() => undefined);
  }

  async access(path: string): Promise<void> {
    await this.#do(() => void this.#find(path));
  }

  /** The names of the files and folders in a folder. */
  async readdir(folder: string): Promise<string[]> {
    return this.#do(() => {
      const below = [...this.#names.keys()].filter((path) => path.startsWith(`${folder}/`));
      return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/')[0]!))];
    });
  }

  /** The content of a file, for checks. */
  contentOf(path: string): Buffer | undefined {
    return this.#names.get(path)?.content;
  }

  /** The part of a file that certainly survives a power cut. */
  durableOf(path: string): Buffer | undefined {
    return this.#durableNames.get(path)?.durable;
  }

  async open(path: string, flags: string | number = 'r') {
    const create = typeof flags === 'number' ? (flags & constants.O_CREAT) !== 0 : !/^r\+?$/u.test(flags);
    const isFolder = [...this.#names.keys()].some((name) => dirname(name) === path);
    return this.#do(() => {
      if (!isFolder && create && !this.#names.has(path)) {
        if (this.full) throw fault('ENOSPC');
        this.#names.set(path, new File());
      }
      const file = isFolder ? undefined : this.#names.get(path);
      // Folders exist as soon as one of them is synced.
      if (file === undefined && !isFolder && path.includes('.')) throw fault('ENOENT');
      return this.#handle(path, file);
    });
  }

  /** The part of `FileHandle` that services use. */
  #handle(path: string, file: File | undefined) {
    const sync = (): Promise<void> =>
      this.#do(() => {
        if (this.failing) {
          this.#world.faultLog.hit('sync fails', kindOfFile(path, file));
          throw fault('EIO');
        }
        if (file === undefined) this.#syncFolder(path);
        else file.sync();
      });
    let place = 0;
    const write = (bytes: Uint8Array, from: number, length: number, at: number) =>
      this.#do(() => {
        const kind = kindOfFile(path, file, bytes);
        this.#onWrite(kind);
        let taken = length;
        if (this.full) {
          this.#world.faultLog.hit('disk full', kind);
          taken = Math.min(this.#world.simulation.whole(length + 1), length);
          if (taken === 0) throw fault('ENOSPC');
          if (this.#world.simulation.chance(0.5)) {
            file!.change({ at, bytes: Buffer.from(bytes.subarray(from, from + taken)) });
            throw fault('ENOSPC');
          }
        }
        file!.change({ at, bytes: Buffer.from(bytes.subarray(from, from + taken)) });
        return { bytesWritten: taken };
      });
    return {
      write,
      writeFile: async (bytes: Uint8Array, from = 0): Promise<void> => {
        for (let done = 0; done < bytes.length;)
          done += (await write(bytes, done, bytes.length - done, from + done)).bytesWritten;
      },
      read: (into: Uint8Array, offset: number, length: number, at?: number) =>
        this.#do(() => {
          const from = at ?? place;
          const bytesRead = file!.content.copy(
            into,
            offset,
            from,
            Math.min(from + length, file!.content.length),
          );
          place = from + bytesRead;
          return { bytesRead };
        }),
      truncate: (length: number) => this.#do(() => file!.change({ length })),
      stat: () => this.#do(() => ({ size: file!.content.length })),
      datasync: sync,
      sync,
      close: () => this.#do(() => undefined),
      [Symbol.asyncDispose]: () => this.#do(() => undefined),
    };
  }

  #syncFolder(folder: string): void {
    for (const name of this.#durableNames.keys())
      if (dirname(name) === folder && !this.#names.has(name)) this.#durableNames.delete(name);
    for (const [name, file] of this.#names) if (dirname(name) === folder) this.#durableNames.set(name, file);
  }

  #find(path: string): File {
    const file = this.#names.get(path);
    if (file === undefined) throw fault('ENOENT');
    return file;
  }

  /** A system call: if its process dies meanwhile, it may be done or not. */
  #do<T>(work: () => T): Promise<T> {
    const simulation = this.#world.simulation;
    const owner = simulation.current;
    return new Promise((resolve, reject) => {
      let isDone = false;
      const once = (): void => {
        isDone = true;
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      owner?.onDrop.push(() => {
        if (isDone || simulation.chance(0.5)) return;
        try {
          work();
        } catch {
          // Nobody waits for the result any more.
        }
      });
      simulation.after(simulation.between(0.02, 1.5), owner, once);
    });
  }
}

/** The kind of stream of a file; for a spool, that of the newest line. */
function kindOfFile(path: string, file?: File, written?: Uint8Array): string {
  if (path.includes('/spool')) {
    const text = Buffer.from(written ?? file?.content ?? []).toString('latin1');
    const stream = /^.*"stream":"([^"]+)/su.exec(text)?.[1];
    return kindOfStream(stream ?? 'spool');
  }
  if (path.includes('/models/saved')) return 'models';
  if (path.includes('/models')) return 'training';
  if (path.includes('/index/')) return 'knowledge-index';
  return path.includes('checkpoint') ? 'checkpoints' : 'account';
}

const disks = new Map<string, Disk>();

/** Everything below `root` is on this disk. */
export function mount(root: string, disk: Disk): void {
  disks.set(root, disk);
}

export function unmountAll(): void {
  disks.clear();
}

export function diskOf(path: string): Disk | undefined {
  for (const [root, disk] of disks) if (path.startsWith(root)) return disk;
  return undefined;
}
