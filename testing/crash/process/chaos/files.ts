import { cp, open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { NatsServer } from '../../../nats/server.suite.ts';

/** Tables that can be rebuilt from the record. */
export const TABLES = ['audit.db', 'trading.db'] as const;

/** All files below a folder; none if the folder does not exist. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** What was done to the store of NATS, and whether keys were lost. */
export interface StoreChange {
  readonly what: string;
  readonly takesKeys: boolean;
}

/** Removes the store of a stopped server. */
export async function emptyStore({ store }: NatsServer): Promise<StoreChange> {
  await rm(store, { recursive: true, force: true });
  return { what: 'its store is removed', takesKeys: true };
}

/** Restores the last copy of a stopped server's store, and keeps a copy of the present one. */
export async function swapStore({ store }: NatsServer): Promise<StoreChange> {
  const [older, now] = [`${store}.older`, `${store}.now`];
  await cp(store, now, { recursive: true, force: true });
  const isFirst = await readdir(older).then(
    () => false,
    () => true,
  );
  if (!isFirst) {
    await rm(store, { recursive: true, force: true });
    await cp(older, store, { recursive: true });
    await rm(older, { recursive: true, force: true });
  }
  await cp(now, older, { recursive: true });
  await rm(now, { recursive: true, force: true });
  return isFirst
    ? { what: 'a copy of its store is taken, for the next time', takesKeys: false }
    : { what: 'an older copy of its store is put back', takesKeys: true };
}

/** Changes some bytes of a file, like a failing disk. */
export async function damageFile(file: string, random: () => number): Promise<string> {
  await using handle = await open(file, 'r+');
  const { size } = await handle.stat();
  if (size === 0) return `${basename(file)} is empty`;
  const damage = Buffer.from(Array.from({ length: Math.min(256, size) }, () => Math.floor(random() * 256)));
  const places = Array.from({ length: 4 }, () => Math.floor(random() * (size - damage.length + 1)));
  for (const place of places) await handle.write(damage, 0, damage.length, place);
  return `${basename(file)}, ${size} bytes, damaged at ${places.join(', ')}`;
}

/** Removes spools; returns the ids of the requests whose answers waited in them. */
export async function removeSpools(folder: string): Promise<string[]> {
  const spools = (await filesBelow(folder)).filter((file) => /\/spool\/[^/]*$/u.test(file));
  const waiting: string[] = [];
  for (const file of spools) {
    const text = await readFile(file, 'latin1');
    for (const [, id] of text.matchAll(/"stream":"ask-([^"]+)"/gu)) waiting.push(id!);
  }
  for (const file of spools) await rm(join(file, '..'), { recursive: true, force: true });
  return waiting;
}

/** Also removes SQLite's log and index files. */
export async function removeTables(folder: string, name: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm'])
    await rm(join(folder, `${name}${suffix}`), { recursive: true, force: true });
}

/** The names of the files that have one of these words. */
export async function filesWith(folder: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const file of await filesBelow(folder)) {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    for (const word of words) if (bytes.includes(word)) found.push(`${file}: ${word}`);
  }
  return found;
}
