import { readFileSync } from 'node:fs';
import { isSet, type Environment } from './settings-error.ts';

/** The ending of the setting that names the file with a secret. */
const FILE = '_FILE';

/** The longest secret. No key or address is longer, so a longer file is no secret. */
const MAX_LENGTH = 16_384;

export const fileSettingOf = (secret: string): string => `${secret}${FILE}`;

/**
 * Reads secrets from the files that `NAME_FILE` names, as Docker (`/run/secrets`) and systemd (`LoadCredential=`)
 * provide them. So they are not in the environment, which children inherit and tools show.
 *
 * @returns the environment with all secrets in it, and the faults, none of which contains a secret.
 */
export function withSecretsOfFiles(
  environment: Environment,
  secrets: readonly string[],
): { environment: Environment; faults: string[] } {
  const read: Record<string, string> = {};
  const faults: string[] = [];
  for (const secret of secrets) {
    const setting = fileSettingOf(secret);
    if (!isSet(environment, setting)) continue;
    const found = isSet(environment, secret)
      ? `${secret} is set as well; set one of them`
      : readSecret(environment[setting]!.trim());
    if (typeof found === 'string') faults.push(`${setting}: ${found}`);
    else read[secret] = found.text;
  }
  return { environment: { ...environment, ...read }, faults };
}

/** The text of the file, or what is wrong with it. */
function readSecret(path: string): { text: string } | string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    return `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
  if (text === '') return 'the file is empty';
  if (text.length > MAX_LENGTH || /\p{Cc}/u.test(text))
    return 'the file must hold one line, the secret alone';
  return { text };
}
