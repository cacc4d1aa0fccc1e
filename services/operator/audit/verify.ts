import { CATALOG } from '../../../events/catalog/catalog.ts';
import { verifyArchive } from '../../../events/proof/archive/verify.ts';
import { describeFinding, type Finding } from '../../../events/proof/finding-words.ts';
import type { VerifierKey } from '../../../events/proof/keys.ts';
import type { SignedFrom } from '../../../events/proof/signed-from.ts';
import { verifyStream } from '../../../events/proof/verify-stream.ts';
import { verifyRecord } from '../../../events/proof/verify.ts';
import { firstFew } from '../../../events/first-few.ts';
import { readSettings } from '../../composition/settings.ts';
import { toJson } from '../../foundation/json.ts';
import { DAMAGED_KEYS_ADVICE, openRecord } from '../../composition/runtime.ts';
import { UsageError } from '../report-failure.ts';
import { EXIT } from '../exit-codes.ts';
import { count, grouped } from '../number-format.ts';
import { startProgressBar, type ProgressBar } from '../progress-bar.ts';
import { printable } from '../terminal.ts';
import { tablesAhead } from './projections/tables-ahead.ts';
import { checkKeys, damagedKeys, KEYS_ADVICE, namesOf, type KeysFound } from './check-keys.ts';
import { PROOFS } from './export.ts';
import { linesOf, parseExpected, readKey } from './verify-arguments.ts';

export interface VerifyArguments {
  readonly stream?: string;
  readonly expect?: string;
  readonly key?: string;
  readonly checkpoints?: string;
  readonly archive?: string;
  readonly json?: true;
}

/** The result of a verification, for people and for programs. */
export interface Verdict {
  /** The name of what was verified: `The record`, `account-paper`, `The archive`. */
  readonly subject: string;
  /** Whether nothing has that name. */
  readonly isUnknown?: boolean;
  readonly findings: readonly Finding[];
  /** The state of the text keys; absent if they were not checked. */
  readonly keys?: KeysFound;
  /** The number of further findings, which are not listed. */
  readonly more: number;
  /** The figures in words, each with its name, in order. */
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** The figures for programs. */
  readonly figures: Readonly<Record<string, unknown>>;
}

/** `beleg audit verify`: exits with 1 if anything is missing or changed. */
export async function verify(options: VerifyArguments): Promise<void> {
  using bar = startProgressBar('verifying');
  const verdict = await judge(options, process.env, bar.update);
  bar.stop();
  if (verdict.isUnknown === true) {
    console.error(`beleg: there is no stream ${verdict.subject}, in the record or in any checkpoint`);
    process.exitCode = EXIT.notFound;
    return;
  }
  console.log(options.json ? verdictJson(verdict) : formatVerdict(verdict));
  if (verdict.findings.length > 0 || (verdict.keys?.missing ?? 0) > 0) process.exitCode = EXIT.failure;
}

/** Runs the verification that the options ask for. An archive is verified without settings and without a record. */
export async function judge(
  options: VerifyArguments,
  variables: NodeJS.ProcessEnv,
  onProgress: ProgressBar['update'] = () => undefined,
): Promise<Verdict> {
  const { stream, archive } = options;
  const expect = options.expect === undefined ? undefined : parseExpected(options.expect);
  const key = options.key === undefined ? undefined : await readKey(options.key);
  if (archive !== undefined && (stream !== undefined || options.checkpoints !== undefined)) {
    throw new UsageError('--archive can only be combined with --key and --expect');
  }
  if (stream !== undefined && expect !== undefined) {
    throw new UsageError('--expect covers the whole record and cannot be combined with --stream');
  }
  const begin = performance.now();
  const took = (): string => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
  if (archive !== undefined) return judgeArchive(archive, { key, expect, onProgress }, took);

  const settings = readSettings(variables);
  const path = options.checkpoints ?? settings.audit.checkpointFile;
  const outside = linesOf(path);
  if (outside === undefined && options.checkpoints !== undefined) {
    throw new UsageError(`--checkpoints: there is no file ${path}`);
  }
  await using record = await openRecord(settings);
  if (stream !== undefined) {
    const report = await verifyStream(record.store, stream, { outside, key });
    const { findings, more, events, checkpoints, signedFrom } = report;
    return {
      subject: stream,
      isUnknown: events === 0 && findings.length === 0,
      findings,
      more,
      facts: [
        ['events', grouped(events)],
        ['checkpoints', known(checkpoints, path, outside !== undefined)],
        ['signatures', signatures(key, signedFrom)],
        ['took', took()],
      ],
      figures: { stream, events, checkpoints, signedFrom },
    };
  }
  const report = await verifyRecord(record.store, { outside, key, expect, onProgress });
  const { more, events, streams, types, root, checkpoints, signedFrom } = report;
  const ofKeys = await damagedKeys(settings);
  const findings = [...report.findings, ...(await tablesAhead(settings, record.store)), ...ofKeys];
  const unknown = unknownOf(types);
  const uncovered = events - checkpoints.agreesUpTo;
  const keys = await checkKeys(record);
  return {
    subject: 'The record',
    findings,
    more,
    keys,
    facts: [
      ['events', `${grouped(events)} in ${grouped(streams)} streams`],
      ...(unknown.length === 0 ? [] : [['unknown types', unknownWords(unknown)] as const]),
      ['text keys', ofKeys.length === 0 ? keysFound(keys) : `damaged. To mend it, ${DAMAGED_KEYS_ADVICE}`],
      ['checkpoints', `${known(checkpoints, path, outside !== undefined)}; ${checkpoints.agreed} agree`],
      ['covered', covered(checkpoints.agreesUpTo, uncovered)],
      ...(expect === undefined ? [] : [['expected', `${expect.size}:${expect.root}`] as const]),
      ['signatures', signatures(key, signedFrom)],
      ['root', `${events}:${root}`],
      ['took', took()],
    ],
    figures: {
      events,
      streams,
      unknown_types: Object.fromEntries(unknown),
      root,
      checkpoints,
      signedFrom,
      keys,
    },
  };
}

type TypeCount = readonly [type: string, events: number];

/** Event types that this release does not know, from a newer release or another program. No table has their events. */
export function unknownOf(types: ReadonlyMap<string, number>): readonly TypeCount[] {
  const known = new Set(CATALOG.map(({ type }) => type));
  return [...types].filter(([type]) => !known.has(type)).toSorted(([, one], [, other]) => other - one);
}

/** Another program may have many types, so only some are named. */
const NAMED_TYPES = 10;

export function unknownWords(unknown: readonly TypeCount[]): string {
  const each = unknown.map(([type, events]) => `${type} (${grouped(events)})`);
  return `not taken by any table: ${firstFew(each, NAMED_TYPES)}`;
}

async function judgeArchive(
  folder: string,
  options: Parameters<typeof verifyArchive>[1] & { key: VerifierKey | undefined },
  took: () => string,
): Promise<Verdict> {
  const { manifest, findings, more, events, streams, isSigned } = await verifyArchive(folder, options);
  return {
    subject: 'The archive',
    findings,
    more,
    facts: [
      ['events', `${grouped(events)} in ${grouped(streams)} streams`],
      ...(manifest === null
        ? []
        : ([
            ['record', manifest.origin],
            ['checkpoint', `${manifest.checkpoint.size}:${manifest.checkpoint.root}`],
            ['proof', PROOFS[manifest.proof]],
          ] as const)),
      ['signature', signature(options.key, isSigned)],
      ['took', took()],
    ],
    figures: { events, streams, manifest },
  };
}

function known(
  { record, outside }: { record: number; outside: number },
  path: string,
  isHere: boolean,
): string {
  const beside = isHere ? `${outside} in ${path}` : `none outside the record: there is no file ${path}`;
  return `${record} in the record, ${beside}`;
}

function keysFound(keys: KeysFound): string {
  const { requests, unknown, missing } = keys;
  if (missing > 0) {
    return `missing or replaced, and not erased, for ${count(missing, 'request')}: ${namesOf(keys)}. To mend it, ${KEYS_ADVICE}`;
  }
  if (unknown > 0) return `not checked: this user cannot read those of ${count(unknown, 'request')} here`;
  return `the text of ${count(requests, 'request')} opens, or was erased`;
}

function covered(size: number, uncovered: number): string {
  if (size === 0) return 'no events: they are only protected by the hash chain of their stream';
  const rest =
    uncovered === 0
      ? ''
      : `; the ${grouped(uncovered)} after them are only protected by the hash chain of their stream`;
  return `the first ${grouped(size)} events${rest}`;
}

function signatures(key: VerifierKey | undefined, from: SignedFrom | null): string {
  const said = signature(key, from !== null);
  if (from === null || from.before === 0) return said;
  return `${said}: signed since size ${from.size}; the first signed checkpoint also covers the events before it`;
}

function signature(key: VerifierKey | undefined, isSigned: boolean): string {
  if (key === undefined) return 'not checked, because no --key was given';
  return `${isSigned ? 'checked against' : 'no signature by'} ${key.name}+${key.keyId}`;
}

/** The most findings that are shown; `--json` has all. */
const SHOWN = 40;

export function formatVerdict({ subject, findings, more, facts, keys }: Verdict): string {
  const total = findings.length + more;
  const shown = findings.slice(0, SHOWN).map((finding) => `  ${printable(describeFinding(finding))}`);
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    total === 0
      ? intact(printable(subject), keys?.missing ?? 0)
      : `${printable(subject)} is NOT intact: ${count(total, 'finding')}.`,
    ...(total === 0 ? [] : ['', ...shown]),
    ...(total > SHOWN ? [`  … and ${total - SHOWN} more (see --json)`] : []),
    '',
    ...facts.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
  ].join('\n');
}

const intact = (subject: string, lost: number): string =>
  lost === 0
    ? `${subject} is intact.`
    : `No event of ${subject.toLowerCase()} was changed, but the text of ${count(lost, 'request')} cannot be opened any more.`;

export function verdictJson({ findings, more, figures }: Verdict): string {
  const described = findings.map((finding) => ({ ...finding, message: describeFinding(finding) }));
  return toJson(
    { whole: findings.length + more === 0, ...figures, findings: described, more_findings: more },
    2,
  );
}
