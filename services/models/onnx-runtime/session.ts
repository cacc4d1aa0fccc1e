import './no-telemetry.ts';
import { InferenceSession } from 'onnxruntime-node';
import type { Provider } from '../training/trainer-port.ts';

/**
 * Opens a session that computes on the given provider. Its threads do not wait in a busy loop, which would slow down
 * other processes on the same cores. Rejects if the provider is not available.
 */
export function openSession(
  model: Uint8Array,
  { provider, threads }: { provider: Provider; threads: number },
): Promise<InferenceSession> {
  return InferenceSession.create(model, {
    executionProviders: [provider],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 4,
    extra: { session: { intra_op: { allow_spinning: '0' }, set_denormal_as_zero: '1' } },
  });
}
