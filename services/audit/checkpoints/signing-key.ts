import { readFileSync } from 'node:fs';
import { readSigningKey, type SigningKey } from '../../../events/proof/keys.ts';
import { Malformed } from '../../../events/proof/malformed.ts';
import { SettingsError } from '../../foundation/settings-error.ts';

/**
 * Reads the key of `AUDIT_SIGNING_KEY`; `null` if none is set.
 *
 * @throws {SettingsError} that says what is wrong with the file, without quoting it.
 */
export function loadSigningKey(path: string | null): SigningKey | null {
  if (path === null) return null;
  try {
    return readSigningKey(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      error instanceof Malformed ? error.message : `the file cannot be read (${code ?? 'unknown'})`;
    throw new SettingsError([
      `AUDIT_SIGNING_KEY: ${reason}; it must be the file of an Ed25519 key in PEM format (PKCS #8)`,
    ]);
  }
}
