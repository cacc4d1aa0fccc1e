/** Names of fields that only a ticket has, in English and German. */
const OF_TICKET =
  /^(?:ticket|issue|vorgang|anfrage|request|priorit(?:y|ät)|dringlichkeit|urgency|severity|reporter|requester|assignee|assigned to|bearbeiter(?:in)?|zuständig|zugewiesen(?: an)?|ersteller(?:in)?|melder(?:in)?|erstellt(?: am| von)?|created(?: at| by| on)?|updated|aktualisiert|due(?: date)?|fällig(?: am)?|queue|warteschlange|labels?|tags?|channel|kanal|sla)(?:[ -]?(?:nr|nummer|number|no|id)\.?)?$/iu;
/**
 * Names of fields that a ticket may have, but with which people also describe their own case: `Status: Auszubildender`.
 */
const ALSO_OF_TICKET =
  /^(?:case|fall|status|state|kategorie|category|gruppe|group|team|type|typ|subject|betreff|summary|thema)(?:[ -]?(?:nr|nummer|number|no|id)\.?)?$/iu;
/** Names of the field that contains the text of a person. */
const WRITTEN = /^(?:frage|question|beschreibung|description|text|nachricht|message|inhalt|body|anliegen)$/iu;
const FIELD =
  /^\s*(?:\*{1,2}|[-*] )?(?<name>[\p{L}][\p{L} .-]{0,24}?(?<=[\p{L}.]))\*{0,2}:\*{0,2}\s*(?<value>.*)$/su;

/** The number of fields from which on a text is a ticket. A single one may be the heading of a question. */
const LEAST = 2;

/**
 * A text without the fields of a ticket or a help-desk form, whether each field has a line of its own or all stand in
 * one line (`Ticket: 123 / Priority: high / …`). Of the field that a person has filled with text, only the name is left
 * out.
 */
export function withoutFields(text: string): string {
  let fields = 0;
  let certain = 0;
  const own = text.split(/\r\n?|\n|\s[/|]\s/u).flatMap((piece) => {
    const { name = '', value = '' } = FIELD.exec(piece)?.groups ?? {};
    if (WRITTEN.test(name)) return [value];
    const isCertain = OF_TICKET.test(name);
    if (!(isCertain || ALSO_OF_TICKET.test(name)) || value.includes('?')) return [piece];
    fields += 1;
    if (isCertain) certain += 1;
    return [];
  });
  return fields < LEAST || certain === 0 ? text : own.join('\n').trim();
}
