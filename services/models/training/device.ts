import { initialParameters } from '../network/parameters.ts';
import { onlyAmdGpusOpen } from './amd-gpu.ts';
import { initialState, Optimization, type OptimizationPlan } from './optimization.ts';
import type { Device, Provider } from './trainer-port.ts';

/**
 * How far the gradient of another device may be from the CPU's, relative to its length. Rounding to TF32 stays well
 * below.
 */
const TOLERANCE = 0.02;

/**
 * Opens the optimization on the wanted provider. If it cannot be opened, or its first step fails or differs from the
 * CPU's, the CPU is used and the device says why. `cause` is the cause of the fallback for the log only, because it may
 * contain paths.
 *
 * @param example fills a batch for the first step.
 */
export async function openOnDevice(
  plan: OptimizationPlan,
  wanted: { provider: Provider; threads: number },
  example: (x: Float32Array, y: Float32Array) => void,
) {
  const { provider, threads } = wanted;
  const onCpu = await Optimization.open(plan, { provider: 'cpu', threads });
  const device: Device = { provider: 'cpu', fallback: null, precision: 'float32', amd_gpu: false };
  if (provider === 'cpu') return { optimization: onCpu, device, cause: null };

  const fallback = (reason: string, cause: unknown) => ({
    optimization: onCpu,
    device: { ...device, fallback: `${provider} ${reason}` },
    cause,
  });
  let other: Optimization;
  try {
    other = await Optimization.open(plan, wanted);
  } catch (error) {
    return fallback('is not available on this machine', error);
  }
  try {
    const difference = distance(await tryStep(other, plan, example), await tryStep(onCpu, plan, example));
    // The comparison is false for NaN, too.
    if (difference <= TOLERANCE) {
      await onCpu.close();
      const amd_gpu = onlyAmdGpusOpen();
      return { optimization: other, device: { ...device, provider, amd_gpu }, cause: null };
    }
    await other.close();
    return fallback('computes a different first step than the CPU', `relative difference ${difference}`);
  } catch (error) {
    await other.close().catch(() => undefined);
    return fallback('failed at the first step', error);
  }
}

/** Runs the first step and returns the first moment after it, which is proportional to the gradient. */
async function tryStep(
  optimization: Optimization,
  { spec, settings }: OptimizationPlan,
  example: (x: Float32Array, y: Float32Array) => void,
): Promise<Float32Array> {
  optimization.state = initialState(initialParameters(spec, settings.seed));
  example(optimization.x, optimization.y);
  await optimization.step(1);
  return optimization.state.moments.first;
}

function distance(a: Float32Array, b: Float32Array): number {
  let difference = 0;
  let length = 0;
  for (const [at, value] of b.entries()) {
    difference += (a[at]! - value) ** 2;
    length += value ** 2;
  }
  return Math.sqrt(difference / length);
}
