import { el } from '../dom.ts';
import { clock, day, duration } from './format.ts';
import { inert } from './inert-text.ts';
import type { Entry, Shown } from './api.ts';
import { texts } from './texts.ts';

/** The events in order: time, description, the machine's state after it, and the call or event that caused it. */
export function renderTimeline({ id, entries, omitted }: Shown['story']): HTMLElement {
  const causes = causesIn(entries);
  const [first] = entries;
  const shown = entries.map((entry, i) => {
    const { at, after_ms, event, state, stream, revision, correlation_id, causation_id, data } = entry;
    const words = texts.events[event];
    return el(
      'li',
      { dataset: { event } },
      el(
        'p.when',
        i > 0 && dayOf(entry) !== dayOf(entries[i - 1]!) ? day(at) : null,
        clock(at),
        after_ms === 0 ? null : el('span.after', `+ ${duration(after_ms)}`),
      ),
      el(
        'p.what',
        words === undefined ? null : el('strong', words),
        el('code', event),
        state === null ? null : el('span.state', '→ ', el('code', state)),
      ),
      el(
        'p.who',
        el('span', { title: causation_id }, causes.get(causation_id) ?? ''),
        data.by === 'operator' || data.by === 'retention'
          ? el('span', data.by === 'operator' ? texts.byOperator : texts.byRetention)
          : null,
        correlation_id === id ? null : el('span', texts.ofRequest, ' ', el('code', correlation_id)),
        el('code', stream === first!.stream ? `#${revision}` : `${stream} #${revision}`),
      ),
      renderData(data),
    );
  });
  if (omitted > 0) shown.splice(gapIn(entries), 0, el('li.omitted', texts.omitted(omitted)));
  return el('ol.timeline', shown);
}

/** The causes in words, by id. A cause is an event that is shown, or a call, which is numbered by arrival. */
function causesIn(entries: readonly Entry[]): Map<string, string> {
  const events = new Map(entries.map(({ id, event }) => [id, texts.becauseOf(texts.events[event] ?? event)]));
  const callers = new Set(entries.map(({ causation_id }) => causation_id).filter((id) => !events.has(id)));
  [...callers].forEach((id, i) => events.set(id, texts.call(i + 1)));
  return events;
}

const dayOf = ({ at }: Entry): string => new Date(at).toDateString();

function renderData(data: Entry['data']): HTMLElement | null {
  const fields = Object.entries(data);
  if (fields.length === 0) return null;
  return el(
    'details',
    el('summary', texts.data),
    el(
      'dl',
      fields.flatMap(([name, value]) => [
        el('dt', el('code', name)),
        el('dd', { dir: 'auto' }, value === null ? '–' : inert(asText(value))),
      ]),
    ),
  );
}

const asText = (value: Entry['data'][string]): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1);

/** The index at which entries were left out: where the revisions of the first stream jump, else the middle. */
function gapIn(entries: readonly Entry[]): number {
  let { stream, revision: last } = entries[0]!;
  for (const [i, entry] of entries.entries()) {
    if (entry.stream !== stream) continue;
    if (entry.revision > last + 1) return i;
    last = entry.revision;
  }
  return Math.floor(entries.length / 2);
}
