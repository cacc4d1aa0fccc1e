import { createInterface } from 'node:readline';
import type { Fault, FaultMethod, FaultNow, Faults } from './faults.ts';

/** One line of JSON on the input of the stand-in's process; each is answered by the line `{"done":N}`. */
export type ControlMessage =
  | { do: 'inject'; method: FaultMethod; fault: Fault; count: number }
  | { do: 'now'; action: FaultNow }
  | { do: 'clear' };

export function listenForControl(faults: Faults): void {
  let done = 0;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const message = JSON.parse(line) as ControlMessage;
    if (message.do === 'inject') faults.inject(message.method, message.fault, message.count);
    else if (message.do === 'now') faults.now(message.action);
    else faults.clear();
    process.stdout.write(`${JSON.stringify({ done: ++done })}\n`);
  });
}
