import { listWarnings, readSettings, type Settings } from '../../composition/settings.ts';
import { fileInPlaceOf } from '../../foundation/data-dir.ts';
import { SettingsError, type Environment } from '../../foundation/settings-error.ts';
import { loadSigningKey } from '../../audit/checkpoints/signing-key.ts';
import { checkFiles } from '../../strategies/check-files.ts';
import { EXIT } from '../exit-codes.ts';
import { count } from '../number-format.ts';
import { toJson } from '../../foundation/json.ts';
import { painter, printable, standardOutput, type Terminal } from '../terminal.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import { lookAtFiles } from './files.ts';
import { lookAtBase } from './knowledge-base.ts';
import { lookAtMarket } from './market-data.ts';
import { lookAtDataDir, lookAtDisk, lookAtNode, lookAtPorts } from './node-disk-ports.ts';
import { lookAtRecord } from './look-at-record.ts';
import { lookAtSpools } from './look-at-spools.ts';
import { lookAtEventStore, lookAtModel, lookAtNats } from './servers.ts';

/** `beleg doctor`: checks all that the services depend on, changes nothing, and exits with 1 if there is a fault. */
export async function doctor({ json }: { json?: true }): Promise<void> {
  const findings = await examine(process.env);
  console.log(json === true ? toJson(findings, 2) : formatFindings(findings, standardOutput()));
  if (findings.some(({ state }) => state === 'fault')) process.exitCode = EXIT.failure;
}

/** Runs all checks; if the settings are faulty, only their findings are returned. */
export async function examine(environment: Environment): Promise<Finding[]> {
  const [settings, ofSettings] = lookAtSettings(environment);
  if (settings === null) return [lookAtNode(), ...ofSettings];
  const { distributed } = settings;
  // The ports are checked first: during other checks this process is too busy to read an answer in time.
  const ports = distributed === null ? await lookAtPorts(settings) : [];
  const canHoldFiles = (await fileInPlaceOf(settings.dataDir)) === null;
  const looks = await Promise.all([
    lookAtDisk(settings),
    lookAtDataDir(settings),
    canHoldFiles ? lookAtFiles(settings) : null,
    lookAtBase(settings),
    ...(distributed === null ? [] : [lookAtNats(distributed.nats), lookAtEventStore(distributed)]),
    lookAtMarket(settings),
    canHoldFiles ? lookAtRecord(settings) : null,
    canHoldFiles ? lookAtSpools(settings) : null,
    lookAtModel(settings),
  ]);
  return [lookAtNode(), ...ofSettings, ...ports, ...looks.flat().filter((found) => found !== null)];
}

function lookAtSettings(environment: Environment): [Settings | null, Finding[]] {
  const what = 'settings';
  try {
    const settings = readSettings(environment);
    // A start reads the key too, and ends if it cannot.
    loadSigningKey(settings.audit.signingKey);
    checkFiles(settings.trading.own?.sources ?? []);
    const warnings = listWarnings(environment);
    if (warnings.length === 0) return [settings, [ok(what, 'complete and consistent')]];
    return [settings, warnings.map((found) => warning(what, found, 'fix it in the environment or in .env'))];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [null, error.faults.map((found) => fault(what, found, 'fix it in the environment or in .env'))];
  }
}

const MARKS = {
  ok: ['green', 'ok     '],
  warning: ['yellow', 'warning'],
  fault: ['red', 'FAULT  '],
} as const;

export function formatFindings(findings: readonly Finding[], terminal: Terminal): string {
  const paint = painter(terminal);
  const width = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.map(({ what, state, found, advice }) => {
    const [colour, mark] = MARKS[state];
    const line = `${paint(colour, mark)}  ${what.padEnd(width)}  ${printable(found)}`;
    return advice === undefined ? line : `${line}\n${' '.repeat(width + 11)}→ ${printable(advice)}`;
  });
  const of = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const bad = [
    of('fault') > 0 ? count(of('fault'), 'fault') : '',
    of('warning') > 0 ? count(of('warning'), 'warning') : '',
  ];
  const summary = bad.filter((part) => part !== '').join(', ');
  return [...lines, '', summary === '' ? 'No problems found.' : `${summary}.`].join('\n');
}
