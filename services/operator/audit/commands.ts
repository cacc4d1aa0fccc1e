import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseMoment, parsePoint } from '../option-values.ts';
import type { checkpoint } from './checkpoint.ts';
import type { createKey } from './create-key.ts';
import type { diff } from './diff.ts';
import type { erase } from './erase.ts';
import type { exportRecord } from './export.ts';
import type { listProjections, rebuildProjection, verifyProjection } from './projections.ts';
import type { replay } from './replay.ts';
import type { rerun } from './rerun.ts';
import type { show } from './show.ts';
import type { state } from './state.ts';
import type { tail } from './tail.ts';
import type { verify } from './verify.ts';

function speed(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number <= 1_000_000)) throw new InvalidArgumentError('must be a number above 0');
  return number;
}

function whole(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('must be a whole number');
  return Number(value);
}

function select(command: Command): Command {
  return command
    .option('--stream <name>', 'only this stream')
    .option('--category <prefix>', 'only streams whose names begin so: ask-, account-, training- …')
    .option('--type <types...>', 'only events of these types')
    .option('--from <time>', 'from this time on', parseMoment)
    .option('--to <time>', 'before this time', parseMoment);
}

/** `beleg audit …`: each command loads what it needs, and nothing of the others. */
export function addAuditCommands(audit: Command): void {
  select(audit.command('tail'))
    .description('the newest events, or those from a time on, and then the record as it grows, until Ctrl-C')
    .option('--text', 'open free text instead of leaving it sealed')
    .option('--json', 'one JSON object a line')
    .option('--no-follow', 'end where the record ends')
    .action(async (...given: Parameters<typeof tail>) => (await import('./tail.ts')).tail(...given));

  audit
    .command('show')
    .description(
      'tell the story of one request, order, run of training or update, with the way its machine took',
    )
    .argument('<id>', 'request id, order id, run, update id')
    .option('--json', 'print the story as JSON')
    .action(async (...given: Parameters<typeof show>) => (await import('./show.ts')).show(...given));

  select(audit.command('replay'))
    .description(
      'give recorded events out again, in order and marked as a replay; nothing is done because of it',
    )
    .addOption(
      new Option('--speed <factor>', 'as they happened, so many times faster').argParser(speed).default(1),
    )
    .addOption(new Option('--as-fast', 'without waiting').conflicts('speed'))
    .option('--to-subject <subject>', 'publish to this NATS subject (NATS_URL) instead of standard output')
    .option('--text', 'open free text instead of leaving it sealed')
    .action(async (...given: Parameters<typeof replay>) => (await import('./replay.ts')).replay(...given));

  audit
    .command('rerun')
    .description('ask recorded questions again, of the present base and settings, and show what differs')
    .argument('[request_ids...]', 'default: all in the time given')
    .option('--from <time>', 'asked from this time on', parseMoment)
    .option('--to <time>', 'asked before this time', parseMoment)
    .option('--limit <number>', 'the newest so many', whole)
    .option('--kb <folder>', 'knowledge base to use instead of PV_KB_PATH')
    .option('--json', 'one JSON object a question, the summary last')
    .action(async (...given: Parameters<typeof rerun>) => (await import('./rerun.ts')).rerun(...given));

  audit
    .command('verify')
    .description(
      'prove that the record is whole, or say what is missing or changed; exits with 1 where it is not',
    )
    .option('--stream <name>', 'the chain of this stream alone')
    .option('--expect <checkpoint>', 'SIZE:ROOT as noted earlier, somewhere else')
    .option('--key <file>', 'public key (PEM, or the one line that `audit key` prints) that must have signed')
    .option('--checkpoints <file>', 'checkpoints kept outside the record; default: AUDIT_CHECKPOINT_FILE')
    .option('--archive <folder>', 'verify an export instead of the record; needs nothing else')
    .option('--json', 'print the findings as JSON')
    .action(async (...given: Parameters<typeof verify>) => (await import('./verify.ts')).verify(...given));

  audit
    .command('checkpoint')
    .description('note now how far the record goes and what its root is, signed')
    .option('--json', 'print it as JSON')
    .action(async (...given: Parameters<typeof checkpoint>) =>
      (await import('./checkpoint.ts')).checkpoint(...given),
    );

  audit
    .command('key')
    .description('make a key that signs checkpoints (for AUDIT_SIGNING_KEY), and print its public half')
    .requiredOption('--out <file>', 'where the private key is written; an existing file is left alone')
    .action(async (...given: Parameters<typeof createKey>) =>
      (await import('./create-key.ts')).createKey(...given),
    );

  select(audit.command('export'))
    .description(
      'write an archive that proves itself: events, manifest, inclusion proofs; free text stays sealed',
    )
    .requiredOption('--out <folder>', 'a folder that does not exist yet')
    .option('--json', 'print the manifest')
    .action(async (...given: Parameters<typeof exportRecord>) =>
      (await import('./export.ts')).exportRecord(...given),
    );

  audit
    .command('erase')
    .description('erase the text of requests for good; ids, figures and proofs stay')
    .argument('<request_ids...>')
    .requiredOption(
      '--reason <text>',
      'on what ground; stays on record in the open, so it must name no person',
    )
    .option('--json', 'one JSON object a request')
    .action(async (...given: Parameters<typeof erase>) => (await import('./erase.ts')).erase(...given));

  audit
    .command('state')
    .description('what a stream amounted to, at any point')
    .argument('<stream>')
    .option('--at <point>', 'a revision, or a time; default: now', parsePoint)
    .option('--json', 'print it as JSON')
    .action(async (...given: Parameters<typeof state>) => (await import('./state.ts')).state(...given));

  audit
    .command('diff')
    .description('what changed in the state of a stream between two points')
    .argument('<stream>')
    .requiredOption('--at <point>', 'a revision, or a time', parsePoint)
    .option('--and <point>', 'the later one; default: now', parsePoint)
    .option('--json', 'print it as JSON')
    .action(async (...given: Parameters<typeof diff>) => (await import('./diff.ts')).diff(...given));

  const projections = audit.command('projections').description('the tables that are made of the record');
  projections
    .command('list')
    .option('--json', 'print it as JSON')
    .action(async (...given: Parameters<typeof listProjections>) =>
      (await import('./projections.ts')).listProjections(...given),
    );
  projections
    .command('rebuild')
    .description('build the tables again from the first event, beside those that are read, and swap')
    .argument('<name>')
    .option('--json', 'print it as JSON')
    .action(async (...given: Parameters<typeof rebuildProjection>) =>
      (await import('./projections.ts')).rebuildProjection(...given),
    );
  projections
    .command('verify')
    .description('build the tables again and compare them row by row; exits with 1 where they differ')
    .argument('[name]', 'default: all')
    .option('--json', 'print it as JSON')
    .action(async (...given: Parameters<typeof verifyProjection>) =>
      (await import('./projections.ts')).verifyProjection(...given),
    );
}
