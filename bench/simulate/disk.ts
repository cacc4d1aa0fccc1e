import { dirname } from 'node:path';
import type { FaultLog } from './fault-log.ts';
import type { Simulation } from './simulation.ts';

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly length: number };

/** A file as programs see it, and as a power cut would leave it. */
class File {
  content = Buffer.alloc(0);
  durable = Buffer.alloc(0);
  /** Since it was last synced. */
  pending: Change[] = [];

  change(change: Change): void {
    this.content = applied(this.content, change);
    this.pending.push(change);
  }

  sync(): void {
    this.durable = this.content;
    this.pending = [];
  }

  /** Of what was not synced each change is there, torn, or gone. Returns whether anything is missing. */
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
  Object.assign(new Error(`${code}: simulated disk`), { code });

/** The files of one machine. What is synced survives everything; what is not, the death of processes but no power cut. */
export class Disk {
  /** Nothing more fits. */
  full = false;
  /** Syncing fails. */
  failing = false;
  readonly #simulation: Simulation;
  readonly #faults: FaultLog;
  #names = new Map<string, File>();
  readonly #durableNames = new Map<string, File>();

  constructor(simulation: Simulation, faults: FaultLog) {
    this.#simulation = simulation;
    this.#faults = faults;
  }

  /** The machine goes off: what was not synced is torn or gone, names too. */
  losePower(): void {
    const kept = new Map<string, File>();
    for (const path of new Set([...this.#names.keys(), ...this.#durableNames.keys()])) {
      const [now, durable] = [this.#names.get(path), this.#durableNames.get(path)];
      const file = now === durable || this.#simulation.chance(0.5) ? now : durable;
      if (file !== undefined) kept.set(path, file);
      if (file !== now) this.#faults.hit('lost write', kindOfFile(path));
    }
    for (const [path, file] of kept) {
      this.#durableNames.set(path, file);
      if (file.losePower(this.#simulation)) this.#faults.hit('lost write', kindOfFile(path));
    }
    this.#names = kept;
  }

  async readFile(path: string, options?: unknown): Promise<Buffer | string> {
    const content = await this.#do(() => Buffer.from(this.#find(path).content));
    return options === 'utf8' ? content.toString('utf8') : content;
  }

  async writeFile(path: string, text: string | Uint8Array, options?: { flush?: boolean }): Promise<void> {
    const file = await this.#open(path, true);
    await file.truncate(0);
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;)
      done += (await file.write(bytes, done, bytes.length - done, done)).bytesWritten;
    if (options?.flush === true) await file.sync();
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#do(() => {
      this.#names.set(to, this.#find(from));
      this.#names.delete(from);
    });
  }

  async rm(path: string): Promise<void> {
    await this.#do(() => void this.#names.delete(path));
  }

  async mkdir(): Promise<void> {
    await this.#do(() => undefined);
  }

  open(path: string, flags: string | number = 'r'): Promise<OpenFile> {
    return this.#open(path, flags !== 'r' && flags !== 'r+');
  }

  /** Names of the files there are, for checks. */
  contentOf(path: string): Buffer | undefined {
    return this.#names.get(path)?.content;
  }

  async #open(path: string, create: boolean): Promise<OpenFile> {
    const isFolder = [...this.#names.keys()].some((name) => dirname(name) === path);
    return this.#do(() => {
      if (!isFolder && create && !this.#names.has(path)) {
        if (this.full) throw fault('ENOSPC');
        this.#names.set(path, new File());
      }
      const file = isFolder ? undefined : this.#names.get(path);
      // Folders are there as soon as somebody wants to sync one.
      if (file === undefined && !isFolder && path.includes('.')) throw fault('ENOENT');
      return this.#handle(path, file);
    });
  }

  #handle(path: string, file: File | undefined): OpenFile {
    const sync = (): Promise<void> =>
      this.#do(() => {
        if (this.failing) {
          this.#faults.hit('sync fails', kindOfFile(path));
          throw fault('EIO');
        }
        if (file === undefined) this.#syncFolder(path);
        else file.sync();
      });
    return {
      write: (bytes, from, length, at) =>
        this.#do(() => {
          let taken = length;
          if (this.full) {
            this.#faults.hit('disk full', kindOfFile(path));
            taken = Math.min(this.#simulation.whole(length + 1), length);
            if (taken === 0) throw fault('ENOSPC');
            if (this.#simulation.chance(0.5)) {
              file!.change({ at, bytes: Buffer.from(bytes.subarray(from, from + taken)) });
              throw fault('ENOSPC');
            }
          }
          file!.change({ at, bytes: Buffer.from(bytes.subarray(from, from + taken)) });
          return { bytesWritten: taken };
        }),
      read: (into, offset, length, at) =>
        this.#do(() => ({
          bytesRead: file!.content.copy(into, offset, at, Math.min(at + length, file!.content.length)),
        })),
      truncate: (length) => this.#do(() => file!.change({ length })),
      stat: () => this.#do(() => ({ size: file!.content.length })),
      datasync: sync,
      sync,
      close: () => this.#do(() => undefined),
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

  /** A call into the system: where its process dies meanwhile, it may have been done or not. */
  #do<T>(work: () => T): Promise<T> {
    const simulation = this.#simulation;
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
          // Nobody is left to hear of it.
        }
      });
      simulation.after(simulation.between(0.02, 1.5), owner, once);
    });
  }
}

/** As much of `FileHandle` as services use. */
export interface OpenFile {
  write(bytes: Uint8Array, from: number, length: number, at: number): Promise<{ bytesWritten: number }>;
  read(into: Buffer, offset: number, length: number, at: number): Promise<{ bytesRead: number }>;
  truncate(length: number): Promise<void>;
  stat(): Promise<{ size: number }>;
  datasync(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

function kindOfFile(path: string): string {
  if (path.includes('spool')) return 'spool';
  return path.includes('checkpoint') ? 'checkpoint file' : 'snapshot';
}

const disks = new Map<string, Disk>();

/** All below `root` is on this disk. */
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
