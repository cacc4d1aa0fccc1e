type Name = 'status' | 'rating' | 'from' | 'to' | 'request';

export type View = Readonly<Record<Name, string>>;

/**
 * The state of the page in the fragment of its address, for bookmarks and links: filters and the open request. The
 * searched text is not in it, because it may name people.
 */
const ALLOWED: Readonly<Record<Name, RegExp>> = {
  status: /^(?:answered|uncertain|refused)$/,
  rating: /^(?:any|up|down|none)$/,
  from: /^\d{4}-\d{2}-\d{2}$/,
  to: /^\d{4}-\d{2}-\d{2}$/,
  request: /^[A-Za-z0-9._:-]{1,128}$/,
};

/** Invalid parts of the fragment are ignored. */
export function readView(): View {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(
    Object.entries(ALLOWED).map(([name, allowed]) => {
      const value = given.get(name) ?? '';
      return [name, allowed.test(value) ? value : ''];
    }),
  ) as View;
}

export function fragmentOf(view: Partial<View>): string {
  const given = (Object.keys(ALLOWED) as Name[])
    .map((name) => [name, view[name] ?? ''])
    .filter(([, value]) => value !== '');
  return `#${new URLSearchParams(given)}`;
}

/** The local midnight at which a day begins, in the format of the API, or `later` days after it. Empty stays empty. */
export function startOf(day: string, later = 0): string {
  if (day === '') return '';
  const midnight = new Date(`${day}T00:00`);
  midnight.setDate(midnight.getDate() + later);
  return midnight.toISOString();
}
