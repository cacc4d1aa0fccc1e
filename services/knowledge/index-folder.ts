import { createHash } from 'node:crypto';
import { join } from 'node:path';

interface Places {
  readonly kbPath: string;
  readonly dataDir: string;
}

/** Each base has a folder of its own for its index, so that another base does not replace the snapshot. */
export const indexFolderOf = ({ kbPath, dataDir }: Places): string =>
  join(dataDir, 'index', createHash('sha256').update(kbPath).digest('hex').slice(0, 16));
