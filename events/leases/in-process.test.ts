import { leasesContract } from './contract.suite.ts';
import { InProcessLeases } from './in-process.ts';

leasesContract('in-process', async (onWorkError) => {
  const leases = new InProcessLeases(onWorkError, { retryMs: 10 });
  return { a: leases, b: leases, close: async () => {} };
});
