const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** JSON without characters that control a terminal: `JSON.stringify` leaves some of them in. */
export function toJson(value: unknown, indent?: 2): string {
  return JSON.stringify(value, null, indent).replaceAll(CONTROLS, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The value as one line of JSON. */
export const toJsonLine = (value: unknown): string => `${toJson(value)}\n`;
