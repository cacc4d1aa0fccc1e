type Name = 'status' | 'rating' | 'from' | 'to' | 'request';

export type View = Readonly<Record<Name, string>>;

/**
 * The place on the page as a fragment of the address: filters and the open request, to be bookmarked and shared. The text
 * that is searched for is not in it, because it may name people.
 */
const ALLOWED: Readonly<Record<Name, RegExp>> = {
  status: /^(?:answered|uncertain|refused)$/,
  rating: /^(?:any|up|down|none)$/,
  from: /^\d{4}-\d{2}-\d{2}$/,
  to: /^\d{4}-\d{2}-\d{2}$/,
  request: /^[A-Za-z0-9._:-]{1,128}$/,
};

/** Whatever the fragment holds that makes no sense is passed over. */
export function readView(): View {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(
    Object.entries(ALLOWED).map(([name, allowed]) => {
      const value = given.get(name) ?? '';
      return [name, allowed.test(value) ? value : ''];
    }),
  ) as View;
}

export function fragmentOf(place: Partial<View>): string {
  const given = (Object.keys(ALLOWED) as Name[])
    .map((name) => [name, place[name] ?? ''])
    .filter(([, value]) => value !== '');
  return `#${new URLSearchParams(given)}`;
}

/** The midnight that a day begins with on this clock, as the API takes it; `later` days on. Empty stays empty. */
export function startOf(day: string, later = 0): string {
  if (day === '') return '';
  const midnight = new Date(`${day}T00:00`);
  midnight.setDate(midnight.getDate() + later);
  return midnight.toISOString();
}
