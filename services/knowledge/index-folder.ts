import { createHash } from 'node:crypto';
import { join } from 'node:path';

interface Places {
  readonly kbPath: string;
  readonly dataDir: string;
}

/** The folder of a base's index. Each base has its own, so that another base does not replace the snapshot. */
export const indexFolderOf = ({ kbPath, dataDir }: Places): string =>
  join(dataDir, 'index', createHash('sha256').update(kbPath).digest('hex').slice(0, 16));
