// `npm run bench -- <name> [options]`: every performance claim comes from here.
const BENCHES: Readonly<
  Record<string, { what: string; load: () => Promise<{ run: (args: string[]) => Promise<void> }> }>
> = {
  store: { what: 'appends, reads and projected events a second', load: () => import('./store.ts') },
  eventstoredb: {
    what: 'appends and reads through EventStoreDB beside the plain client of the same package',
    load: () => import('./store-eventstoredb.ts'),
  },
  knowledge: {
    what: 'retrieval beside minisearch and FTS5; the whole ask over HTTP',
    load: () => import('./knowledge.ts'),
  },
  'knowledge-change': {
    what: 'how long one changed file of a large base takes until it is found, and what searches take meanwhile',
    load: () => import('./knowledge-change.ts'),
  },
  'knowledge-live': {
    what: 'a service over a large base that it watches: changes until they are in service, and asks meanwhile',
    load: () => import('./knowledge-live.ts'),
  },
  learning: {
    what: 'that the model learns: a signal whose ceiling is known, beside ridge and the mean, and shuffled targets',
    load: () => import('./learning.ts'),
  },
  'ask-model': {
    what: 'what an ask costs beside a language model that answers at once',
    load: () => import('./ask-model.ts'),
  },
  trading: {
    what: 'durable orders, replay, backtest beside grademark, WebSocket fan-out beside a plain broadcast',
    load: () => import('./trading.ts'),
  },
  'trading-fanout': {
    what: 'the fan-out alone, with its own options',
    load: () => import('./trading-fanout.ts'),
  },
  training: {
    what: 'training and inference of the model beside TensorFlow.js, jax-js and PyTorch',
    load: () => import('./training.ts'),
  },
  audit: {
    what: 'replay, verification and states of a record of a million events, beside plain SQLite and plain hashing',
    load: () => import('./audit.ts'),
  },
  gaps: {
    what: 'the gaps of the base over a record of 5,000 asks with ratings',
    load: () => import('./gaps.ts'),
  },
  distributed: {
    what: 'asks through gateway, NATS and 1, 2, 4 knowledge processes beside one process and a bare NATS echo',
    load: () => import('./distributed.ts'),
  },
  requests: {
    what: 'the largest request of every operation of both services: how long it blocks the event loop',
    load: () => import('./requests.ts'),
  },
  'index-digest': {
    what: 'whether the best ten of some thousand questions are those of another commit: prints a hash for each set',
    load: () => import('./index-digest.ts'),
  },
  sweep: {
    what: 'a sweep on two threads beside a bare loop in two threads, and beside one thread',
    load: () => import('./sweep.ts'),
  },
  lines: { what: 'lines of code: product, pages, tests, benches', load: () => import('./lines.ts') },
};

const [name = '', ...args] = process.argv.slice(2);
const bench = BENCHES[name];
if (bench === undefined) {
  console.error(`usage: npm run bench -- NAME [options]\n`);
  for (const [known, { what }] of Object.entries(BENCHES)) console.error(`  ${known.padEnd(15)} ${what}`);
  process.exit(2);
}
const { run } = await bench.load();
await run(args);
