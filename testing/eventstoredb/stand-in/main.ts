import { parseArgs } from 'node:util';
import { listenForControl } from './control.ts';
import { startStandIn } from './server.ts';

/**
 * The stand-in as a process of its own: `node main.ts --file FILE [--port PORT]`. It prints `{"url":…,"port":…}` when
 * it listens, takes faults on its input (`control.ts`), and ends with its input, so that it cannot outlive its test.
 */
const { values } = parseArgs({ options: { file: { type: 'string' }, port: { type: 'string' } } });
if (values.file === undefined) throw new Error('--file is missing');

const standIn = await startStandIn({ file: values.file, port: Number(values.port ?? 0) });
const stop = async (): Promise<void> => {
  await standIn.close();
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
process.stdin.once('end', () => void stop());
listenForControl(standIn.faults);
process.stdout.write(`${JSON.stringify({ url: standIn.url, port: standIn.port })}\n`);
