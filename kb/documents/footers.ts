import { textOfUnit } from './html-units.ts';
import type { Unit } from './unit.ts';

/** The number of units at the end among which a footer may be, and the most characters of one. */
const MOST_UNITS = 8;
const LONGEST = 600;

const SIGNED = /^(?:copyright )?(?:©|\(c\))/iu;
const COPYRIGHT = /(?:©|\(c\)|copyright)\D{0,40}\b(?:19|20)\d{2}\b/iu;
/** A line that begins with the copyright sign is only a notice if it is shorter than this. */
const LONGEST_COPYRIGHT = 160;
const RIGHTS = /\ball rights reserved\b|\balle rechte vorbehalten\b/iu;

/**
 * `If you would rather not receive our e-mails, unsubscribe here`: a footer of mails names what is cancelled, unlike
 * other texts on cancellations.
 */
const UNSUBSCRIBE =
  /^(?=.*\b(?:unsubscribe|opt[ -]out|abmelden|abbestellen)\b)(?=.*\b(?:e-?mails?|newsletters?|mailing list|mailings|newslettern?|verteiler)\b)(?=.*\b(?:click|here|links?|hier|klicken)\b|.{0,40}$)|^unsubscribe[.!]?$/iu;

/** The offer to leave a mailing list in other words, and why the mail was sent. */
const LEAVE =
  /\bremove (?:yourself|me|your (?:e-?mail(?: address)?|name|address)) from (?:our|this|the) (?:e-?mails?|mailing|newsletter|distribution)? ?lists?\b|\b(?:or|please) unsubscribe[.!]?$|\bum sich abzumelden,? (?:klicken|schreiben|senden)\b|^(?:you(?:'|’)re|you are) receiving this (?:e-?mail|message|newsletter|because)\b|^sie erhalten (?:diese[ns]?) (?:e-?mail|mail|nachricht|newsletter|mailing),? (?:weil|da)\b|\b(?:manage|update|change) (?:your )?(?:e-?mail |subscription |notification |communication )?preferences\b|\baus (?:dem|unserem|der|diesem) (?:e-?mail-?)?(?:verteiler|mailingliste|newsletter) (?:austragen|abmelden|streichen|löschen)\b/iu;
const LONGEST_LEAVE = 200;

/** The question whether a page has helped, such as `Was this page helpful?`, alone or with a request. */
const FEEDBACK =
  /^(?:(?:is|was) this (?:page|article|information|answer|content) (?:useful|helpful)|(?:war|ist) diese[rs]? (?:seite|artikel|beitrag|information|antwort) (?:hilfreich|nützlich))\?(?: (?:yes|no|ja|nein|please share it)[ .!/]*)*$/iu;

/** A line that has only the names of two or more pages that every sender has, such as an imprint. */
const PAGES_OF_SENDER =
  /^(?:(?:privacy (?:notice|policy)|cookie policy|(?:terms|terms and conditions|terms of (?:use|service))|impressum|imprint|datenschutz(?:erklärung|hinweise)?|agb|kontakt|contact(?: us)?|unsubscribe|abmelden)(?:\s*[|·•–/]\s*|$)){2,}$/iu;

/** Whether a text is a footer that only one kind of document has. */
type Form = (text: string) => boolean;

export const isUnsubscribing: Form = (text) =>
  UNSUBSCRIBE.test(text) ||
  (text.length <= LONGEST_LEAVE && (LEAVE.test(text) || PAGES_OF_SENDER.test(text)));

const isFooter: Form = (text) =>
  text.length <= LONGEST &&
  ((COPYRIGHT.test(text) && (RIGHTS.test(text) || (text.length <= LONGEST_COPYRIGHT && SIGNED.test(text)))) ||
    FEEDBACK.test(text));

/**
 * The units without the lines at the end that are on all pages or mails of a sender, such as copyright notices, and how
 * many these were. A document of nothing else stays whole.
 */
export function withoutFooters(units: readonly Unit[], other: Form = () => false): [Unit[], number] {
  const from = units.length - MOST_UNITS;
  const kept = units.filter((unit, i) => {
    if (i < from || unit.kind === 'heading' || unit.kind === 'code') return true;
    const text = textOfUnit(unit);
    return !isFooter(text) && !other(text);
  });
  // A heading with nothing left below it is left out as well.
  while (kept.length < units.length && kept.at(-1)?.kind === 'heading' && kept.at(-1) !== units.at(-1))
    kept.pop();
  return kept.length === 0 ? [[...units], 0] : [kept, units.length - kept.length];
}
