import { endOfIntroduction } from './quoted-mail.ts';

/** The sender's line in the head of a mail, up to the address. In HTML all lines of a head may be joined. */
const SENDER = /(?:^|[\s*])(?:from|von):\*?\s*(?<name>[^<[(@:]{1,80}?)["'*\s]*(?:[<[(]|$)/iu;

/** A mail that is forwarded within another one. */
interface Forwarded<T> {
  /** The name of its sender, if its head has one. */
  readonly writer: string | undefined;
  readonly parts: readonly T[];
}

/** Divides a text at the heads of forwarded mails, and leaves the heads out. The first part has no head. */
export function forwardedIn<T>(parts: readonly T[], textOf: (part: T) => string): Forwarded<T>[] {
  const texts = parts.map(textOf);
  const mails: { writer: string | undefined; parts: T[] }[] = [{ writer: undefined, parts: [] }];
  for (let at = 0; at < parts.length; at++) {
    const end = endOfIntroduction(texts, at);
    if (end === at) mails.at(-1)!.parts.push(parts[at]!);
    else {
      const names = texts.slice(at, end).map((text) => SENDER.exec(text.trim())?.groups?.['name']);
      mails.push({ writer: names.find((name) => name !== undefined), parts: [] });
      at = end - 1;
    }
  }
  return mails;
}
