import { parseArgs } from 'node:util';
import { benchAsk } from './knowledge-ask.ts';
import { benchRetrieval, type RetrievalRow } from './knowledge-retrieval.ts';

/**
 * `npm run bench -- knowledge [--sizes 1000,10000,100000] [--starter] [--asks 400]`: retrieval beside minisearch and
 * SQLite FTS5 on the same chunks, of statutes or of the starter base, then the whole ask over HTTP with audit on (`--asks 0` leaves
 * that out).
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      starter: { type: 'boolean', default: false },
      sizes: { type: 'string', default: '1000,10000,100000' },
      asks: { type: 'string', default: '400' },
      'ask-passages': { type: 'string', default: '10000' },
    },
  });
  const sizes = values.sizes.split(',').map(Number);

  console.log(
    line(['engine', 'passages', 'index ms', 'CPU ms', 'a CPU s', 'p50 ms', 'p95 ms', 'MiB', 'p50 ratio']),
  );
  let own: RetrievalRow | undefined;
  const { base } = await benchRetrieval({ sizes, starter: values.starter }, (row) => {
    if (row.engine === 'beleg') own = row;
    const ratio = own === undefined ? '' : `${(row.p50 / own.p50).toFixed(1)} x`;
    const { engine, passages, indexMs, indexCpuMs, p50, p95, memoryMb } = row;
    const rate = ((1000 * passages) / indexCpuMs).toFixed(0);
    const indexing = [indexMs.toFixed(0), indexCpuMs.toFixed(0), rate];
    const figures = [...indexing, p50.toFixed(2), p95.toFixed(2), memoryMb.toFixed(0), ratio];
    console.log(line([engine, String(passages), ...figures]));
  });
  console.log(
    `chunks made from ${base}; one process, one engine after the other; a CPU s: passages indexed in a second of the processor\n`,
  );
  if (values.asks === '0') return;

  console.log(line(['whole ask', 'passages', 'clients', 'p50 ms', 'p95 ms', 'asks/s', 'answered']));
  const asks = Number(values.asks);
  const passages = Number(values['ask-passages']);
  for (const row of await benchAsk({ passages, asks, concurrencies: [1, 8] })) {
    const { concurrency, p50, p95, asksPerSecond, answered } = row;
    const figures = [p50.toFixed(1), p95.toFixed(1), asksPerSecond.toFixed(0), `${answered}/${row.asks}`];
    console.log(line(['HTTP, audit on', String(row.passages), String(concurrency), ...figures]));
  }
}

function line(cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(16) : cell.padStart(10))).join('');
}
