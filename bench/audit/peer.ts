// The peers: what any reader of the same rows has to do at least.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { finished } from 'node:stream/promises';

const [task = '', folder = ''] = process.argv.slice(2);
const db = new DatabaseSync(join(folder, 'events.db'), { readOnly: true });
const rows = db.prepare('SELECT * FROM events ORDER BY position').iterate();
switch (task) {
  case 'replay':
    for (const row of rows) {
      const line = { ...row, data: JSON.parse(row['data'] as string) as unknown };
      if (!process.stdout.write(`${JSON.stringify(line)}\n`)) {
        await new Promise((resolve) => process.stdout.once('drain', resolve));
      }
    }
    process.stdout.end();
    await finished(process.stdout).catch(() => undefined);
    break;
  case 'hash': {
    const hash = createHash('sha256');
    for (const row of rows) hash.update(row['metadata'] as string).update(row['data'] as string);
    console.log(hash.digest('hex'));
    break;
  }
  default:
    throw new Error(`there is no peer ${task}`);
}
db.close();
