import {
  createTraceState,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
} from '@opentelemetry/api';
import { isBelegError } from './errors.ts';

/**
 * The place of some work in a trace: the two headers of W3C Trace Context. It is passed on from hop to hop, and
 * `traceparent` goes into the metadata of events. Both headers are checked already: hexadecimal, and at most 512
 * printable characters.
 */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
/** The flags for sampled and for a random trace id. The other bits have no meaning and are not passed on. */
const KNOWN_FLAGS = 0b11;

/** The trace that a caller's headers name; `undefined` if there is none, or if it is not valid. */
export function readTrace(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): TraceContext | undefined {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string') return undefined;
  const parsed = parse(traceparent);
  if (parsed === undefined) return undefined;
  const state = typeof tracestate === 'string' ? createTraceState(tracestate).serialize() : '';
  return { traceparent: format(parsed), ...(state === '' ? {} : { tracestate: state }) };
}

export interface SpanPlace {
  kind: SpanKind;
  /** The context of the previous hop; without it a trace may begin here. */
  parent: TraceContext | undefined;
  /** Other traces that this work is part of. */
  links?: readonly TraceContext[];
  /** Attributes by OpenTelemetry's semantic conventions. They never contain text of users, keys or headers. */
  attributes?: Attributes;
}

/**
 * Opens a span. Without an SDK (see `services/composition/telemetry.ts`) the span records nothing and passes the
 * caller's context on unchanged.
 */
export function startSpan(name: string, { kind, parent, links = [], attributes = {} }: SpanPlace): Span {
  const parentContext = contextOf(parent);
  const context =
    parentContext === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parentContext);
  const linked = links.map(contextOf).filter((link) => link !== undefined);
  return trace
    .getTracer('beleg')
    .startSpan(name, { kind, attributes, links: linked.map((context): Link => ({ context })) }, context);
}

/** The trace context for the next hop; `undefined` without tracing. */
export function traceOf(span: Span): TraceContext | undefined {
  const context = span.spanContext();
  if (!trace.isSpanContextValid(context)) return undefined;
  const state = context.traceState?.serialize() ?? '';
  return { traceparent: format(context), ...(state === '' ? {} : { tracestate: state }) };
}

/** Notes a failure in a span: its code, never its message. The caller still has to end the span. */
export function noteFailure(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorType(error));
  // A mistake of the caller is not a failure of the work.
  if (!isBelegError(error) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: unknown): string {
  if (isBelegError(error)) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}

function contextOf(place: TraceContext | undefined): SpanContext | undefined {
  if (place === undefined) return undefined;
  const parsed = parse(place.traceparent);
  if (parsed === undefined || place.tracestate === undefined) return parsed;
  return { ...parsed, traceState: createTraceState(place.tracestate) };
}

/**
 * Parses by the W3C recommendation: this version must match exactly; of a later version only the known fields are read.
 */
function parse(traceparent: string): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & KNOWN_FLAGS, isRemote: true };
}

function format({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${(traceFlags & KNOWN_FLAGS).toString(16)}`;
}
