import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract } from '../contract.suite.ts';
import { openEmbeddedStore } from './embedded.ts';

storeContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  return {
    open: () => openEmbeddedStore({ file: join(folder, 'events.db') }),
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});
