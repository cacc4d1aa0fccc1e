import { SpanKind } from '@opentelemetry/api';
import { inSpan, type TraceContext } from '../trace.ts';
import type { EventStore } from './store.ts';

/** The same store, with a span around each append: of the trace that its first event belongs to, linked to the others'. */
export function traceAppends(store: EventStore): EventStore {
  return {
    append: (stream, expectedRevision, events) => {
      const parents = events
        .map((event) => event.metadata.traceparent)
        .filter((parent) => parent !== undefined);
      const [parent, ...links] = [...new Set(parents)].map((traceparent): TraceContext => ({ traceparent }));
      const attributes = { 'db.operation.name': 'append', 'db.operation.batch.size': events.length };
      return inSpan('append', { kind: SpanKind.CLIENT, parent, links, attributes }, () =>
        store.append(stream, expectedRevision, events),
      );
    },
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (options) => store.readAll(options),
    end: () => store.end(),
    subscribe: (options) => store.subscribe(options),
    ...(store.scan === undefined ? {} : { scan: store.scan.bind(store) }),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}
