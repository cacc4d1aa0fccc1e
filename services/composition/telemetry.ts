import { inspect } from 'node:util';
import { diag, DiagLogLevel, trace } from '@opentelemetry/api';
import type * as Sdk from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { isSet, type Environment } from '../foundation/settings-error.ts';
import { VERSION } from '../foundation/version.ts';

/** Milliseconds for one export with its retries, unless `OTEL_EXPORTER_OTLP_TIMEOUT` is set. */
const EXPORT_TIMEOUT_MS = 3_000;
/** Milliseconds that a stop waits until the last spans are sent. */
const FLUSH_TIMEOUT_MS = 2_000;
/** Milliseconds between two warnings of one kind, so that an unreachable collector is not logged for each attempt. */
const WARN_EVERY_MS = 60_000;

export interface Telemetry {
  /** Sends the remaining spans, within 2 s. Never rejects. */
  shutdown(): Promise<void>;
}

const OFF: Telemetry = { shutdown: async () => undefined };

/**
 * Exports spans over OTLP/HTTP (JSON) if `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set.
 * Otherwise nothing is loaded, and spans cost almost nothing. At most 2,048 finished spans wait for a collector;
 * further ones are dropped. The exporter reads `OTEL_EXPORTER_OTLP_…` from the environment of the process;
 * `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence over what is given here.
 *
 * @example
 * const telemetry = await startTelemetry(process.env, { service: 'beleg-gateway', instance: runtime.instance }, logger);
 * // … at the very end of a stop:
 * await telemetry.shutdown();
 */
export async function startTelemetry(
  environment: Environment,
  { service, instance }: { service: string; instance: string },
  logger: Logger,
): Promise<Telemetry> {
  if (!isWanted(environment)) return OFF;
  const [sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const warn = warnSeldom(logger);
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );

  const { defaultResource, detectResources, resourceFromAttributes } = resources;
  const detectors = [resources.resourceAttributesEnvDetector, resources.serviceNameEnvDetector];
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': service,
        'service.instance.id': instance,
        'service.version': VERSION,
      }),
    )
    .merge(detectResources({ detectors }));
  const timeoutSet = TIMEOUTS.some((name) => isSet(environment, name));
  const exporter = new OTLPTraceExporter(timeoutSet ? {} : { timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new sdk.TracerProvider({
    resource,
    sampler: samplerOf(environment, sdk),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);

  return {
    async shutdown() {
      const late = Promise.withResolvers<string>();
      const timer = setTimeout(() => late.resolve('no time left before the process stops'), FLUSH_TIMEOUT_MS);
      const sent = provider.shutdown().then(() => null, inspect);
      const fault = await Promise.race([sent, late.promise]);
      clearTimeout(timer);
      if (fault !== null) warn(fault);
      trace.disable();
      diag.disable();
    },
  };
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
const TIMEOUTS = ['OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'];

function isWanted(environment: Environment): boolean {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  if (environment['OTEL_TRACES_EXPORTER']?.trim() === 'none') return false;
  return ENDPOINTS.some((name) => isSet(environment, name));
}

/** The sampler of `OTEL_TRACES_SAMPLER`, by its specification, because this SDK does not read the variable itself. */
function samplerOf(environment: Environment, sdk: typeof Sdk): Sdk.Sampler {
  const on = new sdk.AlwaysOnSampler();
  const off = new sdk.AlwaysOffSampler();
  const share = Number(environment['OTEL_TRACES_SAMPLER_ARG'] ?? 1);
  const ratio = new sdk.TraceIdRatioBasedSampler(share >= 0 && share <= 1 ? share : 1);
  const samplers = new Map<string, Sdk.Sampler>([
    ['always_on', on],
    ['always_off', off],
    ['traceidratio', ratio],
    ['parentbased_always_off', new sdk.ParentBasedSampler({ root: off })],
    ['parentbased_traceidratio', new sdk.ParentBasedSampler({ root: ratio })],
  ]);
  const name = environment['OTEL_TRACES_SAMPLER']?.trim() ?? '';
  return samplers.get(name) ?? new sdk.ParentBasedSampler({ root: on });
}

const quiet = (): void => undefined;

/** Logs each warning of the SDK only now and then, because warnings repeat. */
function warnSeldom(logger: Logger): (detail: string) => void {
  let quietUntil = 0;
  return (detail) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + WARN_EVERY_MS;
    logger.warn({ detail: detail.slice(0, 300) }, 'traces cannot be exported');
  };
}
