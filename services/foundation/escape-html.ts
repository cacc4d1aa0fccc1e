const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** A text for use in HTML, inside of elements and of quoted attributes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (c) => ENTITIES[c]!);
