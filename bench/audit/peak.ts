// Loaded before a program: says at its end how much memory it took at most.
import { readFileSync } from 'node:fs';
import { PEAK_PREFIX } from './measure.ts';

process.on('exit', () => {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
  process.stderr.write(`${PEAK_PREFIX}${peak?.[1] ?? ''}\n`);
});
