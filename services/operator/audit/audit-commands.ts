import { InvalidArgumentError, Option, type Command } from 'commander';
import { commandsOf, loaded, parseMoment, parsePoint } from '../command-line.ts';

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
    .option('--category <prefix>', 'only streams whose name begins with this: ask-, account-, training- …')
    .option('--type <types...>', 'only events of these types')
    .option('--from <time>', 'events from this time on; a date begins at midnight in UTC', parseMoment)
    .option('--to <time>', 'events before this time', parseMoment);
}

/** Commands, options and help texts of `beleg audit …`. Each command is in the file of its name. */
export function addAuditCommands(audit: Command): void {
  const command = commandsOf(audit);
  select(command('tail', 'print the newest events, then each new event until Ctrl-C'))
    .option('--text', 'decrypt free text')
    .option('--json', 'print one JSON object per line')
    .option('--no-follow', 'stop at the end of the record')
    .action(loaded(async () => (await import('./tail.ts')).tail));

  command(
    'show',
    'show the story of one request, order, training run or update: its events and its path through the state machine',
  )
    .argument('<id>', 'id of a request, order, training run or update')
    .option('--json', 'print the story as JSON')
    .action(loaded(async () => (await import('./show.ts')).show));

  select(
    command('replay', 'send recorded events again, in order and marked as a replay; no service acts on them'),
  )
    .addOption(
      new Option('--speed <factor>', 'keep the pauses between events, but divide them by this number')
        .argParser(speed)
        .default(1),
    )
    .addOption(new Option('--as-fast', 'send without gaps').conflicts('speed'))
    .option('--to-subject <subject>', 'publish to this NATS subject (NATS_URL) instead of standard output')
    .option('--text', 'decrypt free text')
    .action(loaded(async () => (await import('./replay.ts')).replay));

  command(
    'rerun',
    'ask recorded questions again with the current knowledge base and settings, and show the differences; exits with 1 if there are any',
  )
    .argument('[request_ids...]', 'request ids; default: all between --from and --to')
    .option('--from <time>', 'asked from this time on; a date begins at midnight in UTC', parseMoment)
    .option('--to <time>', 'asked before this time', parseMoment)
    .option('--limit <number>', 'only this many, the newest ones', whole)
    .option('--kb <folder>', 'knowledge base to use instead of PV_KB_PATH')
    .option('--json', 'print one JSON object for each question, then a summary')
    .action(loaded(async () => (await import('./rerun.ts')).rerun));

  command(
    'verify',
    'verify that the record is complete and unchanged; lists what is missing or changed, and then exits with 1',
  )
    .option('--stream <name>', 'only the hash chain of this stream')
    .option('--expect <checkpoint>', 'a checkpoint that you noted earlier, as SIZE:ROOT')
    .option(
      '--key <file>',
      'public key that must have signed the checkpoints: PEM, or the line that `audit key` printed',
    )
    .option(
      '--checkpoints <file>',
      'file with checkpoints kept outside the record; default: AUDIT_CHECKPOINT_FILE',
    )
    .option('--archive <folder>', 'verify an archive instead of the record')
    .option('--json', 'print the findings as JSON')
    .action(loaded(async () => (await import('./verify.ts')).verify));

  command('checkpoint', 'make a checkpoint now: size and root of the record, signed if a key is set')
    .option('--json', 'print it as JSON')
    .action(loaded(async () => (await import('./checkpoint.ts')).checkpoint));

  command('key', 'create a key that signs checkpoints (for AUDIT_SIGNING_KEY), and print its public key')
    .requiredOption('--out <file>', 'file for the private key; it must not exist yet')
    .action(loaded(async () => (await import('./create-key.ts')).createKey));

  select(
    command(
      'export',
      'write an archive that can be verified by itself: events, manifest, inclusion proofs; free text stays encrypted',
    ),
  )
    .requiredOption('--out <folder>', 'folder for the archive; it must not exist yet')
    .option('--json', 'print the manifest as JSON')
    .action(loaded(async () => (await import('./export.ts')).exportRecord));

  command('erase', 'erase the text of requests permanently; ids, figures and proofs stay')
    .argument('<request_ids...>', 'ids of the requests')
    .requiredOption(
      '--reason <text>',
      'why it is erased; stored in clear text and kept, so do not name a person',
    )
    .option('--json', 'print one JSON object for each request')
    .action(loaded(async () => (await import('./erase.ts')).erase));

  command('state', 'print the state of a stream, now or at an earlier point')
    .argument('<stream>', 'name of the stream')
    .option('--at <point>', 'a revision or a time; default: now', parsePoint)
    .option('--json', 'print it as JSON')
    .action(loaded(async () => (await import('./state.ts')).state));

  command('diff', 'print what changed in the state of a stream between two points')
    .argument('<stream>', 'name of the stream')
    .requiredOption('--at <point>', 'the earlier point: a revision or a time', parsePoint)
    .option('--and <point>', 'the later point; default: now', parsePoint)
    .option('--json', 'print it as JSON')
    .action(loaded(async () => (await import('./diff.ts')).diff));

  const ofProjections = commandsOf(
    command('projections', 'look after the tables that are built from the record'),
  );
  ofProjections('list', 'list the tables, and how far each one is')
    .option('--json', 'print it as JSON')
    .action(loaded(async () => (await import('./projections.ts')).listProjections));
  ofProjections('rebuild', 'rebuild tables from the first event, beside those in use, then swap')
    .argument('<name>', 'which tables: `beleg audit projections list` names them')
    .option('--json', 'print it as JSON')
    .action(loaded(async () => (await import('./projections.ts')).rebuildProjection));
  ofProjections(
    'verify',
    'rebuild tables and compare them with those in use, row by row; exits with 1 if they differ',
  )
    .argument('[name]', 'which tables; default: all')
    .option('--json', 'print it as JSON')
    .action(loaded(async () => (await import('./projections.ts')).verifyProjection));
}
