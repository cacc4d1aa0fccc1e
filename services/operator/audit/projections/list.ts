import { existsSync } from 'node:fs';
import type { RecordReader } from '../../../../events/store/store.ts';
import { bytesOf, LiveTables } from './live-tables.ts';
import type { KnownProjection } from './known.ts';

export interface ListedProjection {
  readonly name: string;
  readonly file: string;
  /** Of the tables; `null` where there are none. */
  readonly version: number | null;
  /** Of this release. */
  readonly expected: number;
  readonly position: string | null;
  /** Events on record that are not in the tables yet; at most `MOST_BEHIND`. */
  readonly behind: number;
  readonly bytes: number;
  readonly rows: Readonly<Record<string, number>>;
}

/** Nobody needs to know more exactly. */
export const MOST_BEHIND = 100_000;

/** How far a projection is, and how large. */
export async function listProjection(
  { projection, file }: KnownProjection,
  store: RecordReader,
): Promise<ListedProjection> {
  const { name, version: expected } = projection;
  const nothing = { name, file, version: null, expected, position: null, bytes: 0, rows: {} };
  if (!existsSync(file)) return { ...nothing, behind: await countAfter(store, projection, '') };
  const live = new LiveTables(file, name);
  try {
    const head = live.head();
    const behind = await countAfter(store, projection, head?.position ?? '');
    const bytes = bytesOf(file);
    if (head === null) return { ...nothing, bytes, behind };
    const { version, position, tables } = head;
    const rows = Object.fromEntries(tables.map((table) => [table, live.count(table)]));
    return { name, file, version, expected, position, behind, bytes, rows };
  } finally {
    live.close();
  }
}

async function countAfter(
  store: RecordReader,
  { filter }: KnownProjection['projection'],
  position: string,
): Promise<number> {
  let behind = 0;
  const events = store.readAll({
    ...(position === '' ? {} : { after: position as never }),
    ...(filter === undefined ? {} : { filter }),
    limit: MOST_BEHIND,
  });
  for await (const _ of events) behind += 1;
  return behind;
}
