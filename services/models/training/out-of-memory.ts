import { readFileSync } from 'node:fs';

const WORDS = /heap out of memory|std::bad_alloc|Array buffer allocation failed|Failed to allocate memory/i;

/** Whether the text is an out-of-memory error of V8, the C++ library or ONNX Runtime. */
export const complainsOfMemory = (words: string): boolean => WORDS.test(words);

/**
 * How many processes of this process's cgroup (version 2) the kernel has killed for lack of memory; `null` if that
 * cannot be read. A SIGKILL of unknown origin is blamed on memory only if this number has grown.
 */
export function oomKills(root = '/'): number | null {
  try {
    const group = /^0::(\/.*)$/m.exec(readFileSync(`${root}proc/self/cgroup`, 'utf8'))?.[1];
    const events = readFileSync(`${root}sys/fs/cgroup${group}/memory.events`, 'utf8');
    const kills = /^oom_kill (\d+)$/m.exec(events)?.[1];
    return kills === undefined ? null : Number(kills);
  } catch {
    return null;
  }
}
