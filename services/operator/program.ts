import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { addAuditCommands } from './audit/audit-commands.ts';
import { addFeedbackCommands } from './feedback/feedback-commands.ts';
import { SERVICES, type ServiceName } from '../composition/service-names.ts';
import { commandsOf, loaded, parseDay, parseMoment, sayingHow } from './command-line.ts';
import { EXAMPLES } from './examples.ts';
import { VERSION } from '../foundation/version.ts';

function positive(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('must be a whole number above 0');
  return Number(value);
}

function topK(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 50) {
    throw new InvalidArgumentError('must be a whole number from 1 to 50');
  }
  return number;
}

/** Every command of `beleg`. A command imports only what it needs: `beleg ask` loads no web server. */
export const program = new Command('beleg')
  .description('No answer without a source, no trade without a record.')
  .version(VERSION)
  .exitOverride()
  .showHelpAfterError('(beleg --help lists the commands)')
  .addHelpText(
    'after',
    `
Settings are read from the environment and from .env in the current folder; docs/settings.md lists them.

Examples:
  beleg doctor
  beleg serve
  beleg service knowledge
  beleg ask "Wie lange wird Entgelt im Krankheitsfall fortgezahlt?"
  beleg kb check ./handbook
  beleg audit show demo-1
  beleg feedback list --rating down
  beleg backtest --strategy crossover --from 2020-01-01 --report backtest.html`,
  );

sayingHow(program);
const command = commandsOf(program);

command('serve', 'run both services until SIGTERM or Ctrl-C').action(async () =>
  (await import('./serve.ts')).serve(process.env),
);

command(
  'service',
  'run one service on NATS and EventStoreDB (NATS_URL, EVENTSTORE_URL) until SIGTERM or Ctrl-C',
)
  .addArgument(new Argument('<name>', 'which service').choices(SERVICES))
  .action(async (name: ServiceName) => (await import('./service.ts')).service(name, process.env));

command(
  'doctor',
  'check everything that the services need, and say what to do; exits with 1 if something is wrong',
)
  .option('--json', 'print the findings as JSON')
  .action(loaded(async () => (await import('./doctor/doctor.ts')).doctor));

command(
  'actors',
  'list what the services are at: each living actor, its state, since when, and what it waits for; a process that does not answer within half a second is left out',
)
  .option('--json', 'print the list as JSON')
  .action(loaded(async () => (await import('./actors.ts')).actors));

command(
  'ask',
  'answer a question from the knowledge base; exits with 0 if it was answered, 3 if refused, 4 if uncertain',
)
  .argument('<question>', 'the question, in quotes')
  .option('--kb <folder>', 'knowledge base to use instead of PV_KB_PATH')
  .option('--top-k <number>', 'passages to read, 1 to 50', topK, 8)
  .option('--json', 'print the response as JSON')
  .action(loaded(async () => (await import('./ask.ts')).ask));

const backtest = command(
  'backtest',
  'test a strategy on past market data (TD_SOURCE), with the fees, limits and cash of the settings',
)
  .option(
    '--strategy <name>',
    `${EXAMPLES.join(', ')}, none, or your own: a file like ./mine.ts, or exec:"python3 my.py"; default: TD_STRATEGY`,
  )
  .option('--param <name=value...>', 'parameters of your own strategy; default: as it declares them')
  .option(
    '--from <date>',
    'first session to trade; earlier ones only warm the strategy up; default for model: the first that training has not seen',
    parseDay,
  )
  .option('--weights <file>', 'weights for the strategy model; default: the saved ones')
  .option('--to <date>', 'last session', parseDay)
  .option('--tickers <list>', 'trade only these, separated by commas')
  .addOption(
    new Option('--lots <matching>', 'how closed trades are matched')
      .choices(['fifo', 'lifo', 'flat-to-flat'])
      .default('fifo'),
  )
  .option(
    '--cash <file>',
    'cash that comes in or leaves: CSV with date, amount (negative: leaves) and reason',
  )
  .option('--report <file>', 'write an HTML report')
  .option(
    '--out <folder>',
    'write equity, trades, fills, orders, positions, weights, dividends and more as CSV, and result.json',
  )
  .addOption(new Option('--json', 'print the result as JSON').conflicts('schema'))
  .option('--schema', 'instead, print the JSON schema of result.json')
  .action(loaded(async () => (await import('./backtest.ts')).backtest));

commandsOf(backtest)(
  'compare',
  'put results that --out wrote side by side, and name the parameters that differ',
)
  .argument('<folders...>', 'folders of results')
  .option('--html <file>', 'write a page with figures, curves and what differs')
  .action(loaded(async () => (await import('./backtest-compare.ts')).compareBacktests));

const ofStrategy = commandsOf(command('strategy', 'write and check strategies of your own'));

ofStrategy('new', 'write a first strategy, which runs as it is, and its types beside it')
  .argument('<file>', 'a new file, which must end in .ts or .js')
  .addOption(new Option('--from <name>', 'the example to begin from').choices(EXAMPLES).default('momentum'))
  .action(async (file: string, { from }: { from: string }) =>
    (await import('./strategy.ts')).strategyNew(file, from),
  );

ofStrategy(
  'check',
  'find out whether a strategy goes by anything but what it is shown; exits with 1 and the first difference if it does, 4 if an answer was late',
)
  .argument('<strategy>', 'a file like ./momentum.ts, or exec:"python3 my.py"')
  .option('--param <name=value...>', 'its parameters; default: as it declares them')
  .option('--tickers <list>', 'only these, separated by commas')
  .option('--to <date>', 'last session', parseDay)
  .action(loaded(async () => (await import('./strategy.ts')).strategyCheck));

command(
  'sweep',
  'test a strategy of your own with many parameters, and say what the best are worth afterwards',
)
  .option('--strategy <file>', 'strategy; default: TD_STRATEGY')
  .requiredOption(
    '--param <range...>',
    'values of a parameter, as fast=5..20:5 (from, to, step) or fast=5,10,20; once for each parameter',
  )
  .option('--random <number>', 'run only so many of the combinations, chosen by chance', positive)
  .option('--seed <number>', 'seed of that chance', positive, 1)
  .option('--from <date>', 'first session to trade', parseDay)
  .option('--to <date>', 'last session', parseDay)
  .option('--tickers <list>', 'trade only these, separated by commas')
  .addOption(
    new Option(
      '--split <date>',
      'choose before this day, and test from it on; default: the last 30 % of the sessions',
    )
      .argParser(parseDay)
      .conflicts('walkForward'),
  )
  .option('--walk-forward <times>', 'choose again and again: 5y/1y chooses in five years and uses it for one')
  .option('--anchored', 'with --walk-forward: choose in all sessions before, from the first one on')
  .option('--workers <number>', 'threads; default: as many as there are cores', positive)
  .option('--out <folder>', 'folder for the runs, sweep.html, sweep.csv and sweep.json', 'sweep')
  .addHelpText('after', '\nThe runs are kept. After Ctrl-C or a crash the same command goes on where it was.')
  .action(loaded(async () => (await import('./sweep.ts')).sweep));

addAuditCommands(command('audit', 'follow, show, replay, verify and erase what is on record'));
addFeedbackCommands(command('feedback', 'read ratings and comments'));

const ofReview = commandsOf(command('review', 'check payroll runs on this machine'));

ofReview(
  'run',
  'check a CSV with a slip in each row, the worst first; exits with 1 if something is wrong, 4 if next to nothing could be checked',
)
  .argument(
    '<file>',
    'CSV with a head, titles above it do not matter; names and numbers of persons are not read',
  )
  .option('--month <month>', 'the month of all slips, such as 2022-01, if no column has it')
  .option('--before <file>', 'the run before: what changed, and which law with it')
  .option(
    '--id <column>',
    'with --before: the column that tells persons apart; compared as a hash on this machine, never shown or sent',
  )
  .addOption(
    new Option('--by-row', 'with --before: compare row by row, even if the numbers of rows differ').conflicts(
      'id',
    ),
  )
  .option('--keys <file>', 'mapping of columns; default: review-keys.csv beside the file')
  .option('--csv <file>', 'write the findings as CSV, as Excel in German opens it')
  .option('--html <file>', 'write the findings as one HTML page')
  .option('--kb <folder>', 'knowledge base to use instead of PV_KB_PATH')
  .action(loaded(async () => (await import('./review/run.ts')).reviewRun));

ofReview('keys', 'map the columns of a CSV onto the vocabulary, into review-keys.csv beside it')
  .argument('<file>', 'CSV with a heading')
  .option('--kb <folder>', 'knowledge base to use instead of PV_KB_PATH')
  .action(loaded(async () => (await import('./review/keys.ts')).reviewKeys));

const ofKb = commandsOf(command('kb', 'check, import and index knowledge bases'));

ofKb('check', 'list all faults and warnings of a knowledge base; exits with 1 if there are faults')
  .argument('[folder]', 'default: PV_KB_PATH, or the starter base')
  .action(async (folder?: string) => (await import('./kb.ts')).kbCheck(folder));

ofKb('preview', 'show what a document, or each of a folder, becomes: passages, ids and units')
  .argument('<file>', 'a document of any kind that is read, or a folder')
  .option('--json', 'print it as JSON')
  .action(loaded(async () => (await import('./kb-preview.ts')).kbPreview));

ofKb('import', 'turn statutes into a knowledge base, with one passage for each section (§)')
  .argument('<files...>', 'files or folders')
  .requiredOption('--out <folder>', 'folder for the knowledge base')
  .action(loaded(async () => (await import('./kb.ts')).kbImport));

ofKb('stale', 'list passages whose § has changed since they were written; exits with 1 if there are any')
  .argument('[folder]', 'default: PV_KB_PATH, or the starter base')
  .requiredOption('--statutes <folder>', 'folder with the current statutes, in the format of `kb import`')
  .addOption(
    new Option(
      '--note',
      'instead, store the current § as read, after you have checked the passages',
    ).conflicts('json'),
  )
  .option('--json', 'print it as JSON')
  .action(loaded(async () => (await import('./kb.ts')).kbStale));

ofKb('gaps', 'list what was refused, rated down or answered with low relevance, by topic')
  .option('--from <time>', 'answered from this time on; a date begins at midnight in UTC', parseMoment)
  .option('--to <time>', 'answered before this time', parseMoment)
  .option(
    '--asked',
    'instead, print questions as `asked` and `unanswered` lines of passages, as feedback shows',
  )
  .option('--json', 'print it as JSON')
  .action(loaded(async () => (await import('./kb-gaps.ts')).kbGaps));

ofKb(
  'test',
  'ask the questions of a file and say which answers are no longer as expected; exits with 1 if there are any',
)
  .argument(
    '[file]',
    'CSV with the columns `question` and `expected`: an id or path of a source, or `refused`',
  )
  .option('--kb <folder>', 'knowledge base to use instead of PV_KB_PATH')
  .option('--from-feedback', 'instead, begin such a file from the answers that were rated')
  .option(
    '--out <file>',
    'with --from-feedback: file to write; it must not exist yet; default: standard output',
  )
  .option('--json', 'print every question with what came of it, as JSON')
  .action(loaded(async () => (await import('./kb-test/kb-test.ts')).kbTest));

ofKb(
  'synonyms',
  'propose lines for synonyms.txt: for words of questions that the base does not have, words of a thesaurus that it has',
)
  .argument('<file>', 'questions as people ask them, one a line')
  .option('--kb <folder>', 'knowledge base to use instead of PV_KB_PATH')
  .option('--thesaurus <folder>', 'folder with thesauri of MyThes (th_de_DE_v2.dat)', '/usr/share/mythes')
  .option('--write', 'add the lines to the synonyms.txt of the base')
  .action(loaded(async () => (await import('./kb-synonyms.ts')).kbSynonyms));

ofKb('index', 'build the index of a knowledge base, so that the next start is fast')
  .argument('[folder]', 'default: PV_KB_PATH, or the starter base')
  .action(async (folder?: string) => (await import('./kb.ts')).kbIndex(folder));
