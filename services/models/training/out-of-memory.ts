import { readFileSync } from 'node:fs';

const WORDS = /heap out of memory|std::bad_alloc|Array buffer allocation failed|Failed to allocate memory/i;

/** True where it is memory that the words complain of: V8's, the C++ library's or ONNX Runtime's. */
export const complainsOfMemory = (words: string): boolean => WORDS.test(words);

/**
 * How many processes of this process's cgroup (version 2) the kernel has killed for want of memory so far; `null`
 * where that cannot be read. A SIGKILL that nobody of us sent is put down to memory only where this has grown.
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
