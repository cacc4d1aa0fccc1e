/**
 * The JSON object in a model's text, even with other words or a code fence around it, as models without structured
 * output write it; `undefined` if there is none.
 */
export function jsonInText(text: string): unknown {
  try {
    return JSON.parse(text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}
