/** What the processor has worked for this process so far, all of its threads together. */
export function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
