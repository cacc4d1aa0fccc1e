import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nkeys } from 'nats';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** Configuration of a server that knows users by signed tokens, and the credentials file of one of them. */
export async function writeTokens(folder: string): Promise<{ config: string; credentials: string }> {
  const operator = nkeys.createOperator();
  const account = nkeys.createAccount();
  // JetStream keeps its own subjects in a system account.
  const system = nkeys.createAccount();
  const user = nkeys.createUser();
  const unlimited = { subs: -1, data: -1, payload: -1 };
  const accountLimits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const accounts = [account, system].map(
    (keys) => `${keys.getPublicKey()}: ${sign(operator, keys, { type: 'account', limits: accountLimits })}`,
  );
  const config = join(folder, 'tokens.conf');
  await writeFile(
    config,
    `operator: ${sign(operator, operator, { type: 'operator' })}
     resolver: MEMORY
     system_account: ${system.getPublicKey()}
     resolver_preload: { ${accounts.join(', ')} }`,
  );
  const credentials = join(folder, 'user.creds');
  await writeFile(
    credentials,
    `-----BEGIN NATS USER JWT-----
${sign(account, user, { type: 'user', ...unlimited })}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${new TextDecoder().decode(user.getSeed())}
------END USER NKEY SEED------
`,
  );
  return { config, credentials };
}

function sign(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const claims = {
    jti: subject.getPublicKey(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { ...nats, version: 2 },
  };
  const content = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(claims)}`;
  const signature = issuer.sign(new TextEncoder().encode(content));
  return `${content}.${Buffer.from(signature).toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** A certificate authority of our own, and what it signed for a server on this machine, or for a client. */
export function writeCertificates(
  folder: string,
  names = 'DNS:localhost',
): Record<'ca' | 'cert' | 'key', string> {
  const openssl = (args: string) => execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'pipe' });
  const create = 'req -x509 -days 2 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1';
  openssl(`${create} -keyout ca.key -out ca.pem -subj /CN=authority`);
  openssl(
    `${create} -CA ca.pem -CAkey ca.key -keyout key.pem -out cert.pem -subj /CN=server -addext subjectAltName=${names} -addext basicConstraints=critical,CA:FALSE`,
  );
  return { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
}
