import { resolve } from 'node:path';
import { createSigningKey } from '../../../events/proof/keys.ts';
import { writeNewFile } from '../new-file.ts';

/** `beleg audit key`: writes the private key into a file for its owner alone, and the public key to standard output. */
export async function createKey({ out }: { out: string }): Promise<void> {
  const path = resolve(out);
  const { key, pem } = createSigningKey();
  await writeNewFile(path, pem);
  console.log(key.line);
  console.error(`
The line above is the public key. Keep it where you verify checkpoints, for \`beleg audit verify --key\`.
The private key is in ${path} (PEM), readable only by its owner.
To sign checkpoints, set AUDIT_SIGNING_KEY=${path} where the audit service runs.
To get the public key as PEM: openssl pkey -pubout -in ${path}`);
}
