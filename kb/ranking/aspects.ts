/**
 * What a question wants to know about its subject: how long, how much, by when, in which form. Sources on one topic
 * differ in these aspects. For each aspect there are patterns of questions, of titles, and of sentences that state it.
 */
const ASPECTS = {
  amount: {
    asked:
      /\b(?:wie ?(?:hoch|viele?(?! zeit\b))|was kostet|h(?:ö|oe)he|betrag|euro|prozent\p{L}*|(?:welche\p{L}*|was f(?:ü|ue)r ein\p{L}*) (?:satz|betrag|grenze|prozentsatz)|how (?:much|many|high)|percentage|rate|amount)\b|[€%]/iu,
    title: /h(?:ö|oe)he|betrag|euro|prozent|satz|sätze|grenze|größe|rate|ceiling|limit/iu,
    stated: /\p{N}\s?(?:euro|€|%|prozent|percent|cent|mio)/iu,
  },
  duration: {
    asked:
      /\b(?:wie ?lange?|wie ?viel zeit|dauer\p{L}*|(?:wie ?viele?|welche) (?:jahre|monate|wochen|tage|werktage|arbeitstage|stunden|minuten|urlaub\p{L}*|pausen?)|how long|how many (?:years|months|weeks|days|hours|minutes)|duration)\b/iu,
    title: /dauer|lange|wochen|monat|tage|stunden|minuten|jahre|how long|weeks|months|days|hours/iu,
    stated:
      /(?:\p{N}|\b(?:eine?[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|one|two|three|four|six|twelve))[\s-]+(?:\p{L}+\s+)?\p{L}*(?:jahr|monat|woche|tag|stunde|minute|year|month|week|day|hour)/iu,
  },
  deadline: {
    asked:
      /\b(?:wann|\p{L}*frist\p{L}*|sp(?:ä|ae)testens|f(?:ä|ae)llig\p{L}*|termin|stichtag|versp(?:ä|ae)t\p{L}*|when|deadline|due|latest)\b/iu,
    title: /frist|fällig|termin|wann|zeitpunkt|beginn|spätestens|bis \p{N}|when|due|deadline/iu,
    stated:
      /\b(?:bis (?:zum|spätestens)|spätestens|innerhalb|binnen|fällig|frist|nach ablauf|ab dem|bankarbeitstag|unverzüglich|by the|at the latest|within|due)\b/iu,
  },
  frequency: {
    asked: /\b(?:wie (?:oft|h(?:ä|ae)ufig)|how often)\b/iu,
    title: /jährlich|monatlich|einmal|mal\b|zweimal|dreimal/iu,
    stated:
      /\b(?:jährlich|monatlich|wöchentlich|täglich|einmal|zweimal|dreimal|jede[nrms]?|once|twice|monthly)\b/iu,
  },
  who: {
    asked: /\b(?:wer|wen|wem|who|whom|welche (?:personen|arbeitnehmer|betriebe|arbeitgeber))\b/iu,
    title: /\bwer\b|kreis|berechtigt|pflichtig|personen|trägt|haftung|who/iu,
    stated: /\b(?:arbeitgeber|arbeitnehmer|beschäftigte[rn]?|krankenkasse|finanzamt|employer|employee)\b/iu,
  },
  permission: {
    asked:
      /(?:^|[,.?!;:]\s*|\b(?:und|ob|wann)\s)(?:darf|d(?:ü|ue)rfen|kann|k(?:ö|oe)nnen|muss|m(?:ü|ue)ssen|must|may|can|do|does|is|bin|ist|sind|geht|m(?:u|ü)ß?)\b|\b(?:darf|d(?:ü|ue)rfen|erlaubt|verboten|zul(?:ä|ae)ssig|verpflichtet|gezwungen|pflicht|zustimm\p{L}*|ablehn\p{L}*|allowed)\b/iu,
    title: /verbot|pflicht|kein|darf|recht\b|ablehn|erlaubt|zulässig|zustimm|must|may/iu,
    stated:
      /\b(?:darf|dürfen|muss|müssen|verboten|unzulässig|zulässig|erlaubt|verpflichtet|berechtigt|ablehnen|verlangen|unwirksam|must|may)\b/iu,
  },
  contents: {
    asked:
      /\bwas (?:muss|soll|geh(?:ö|oe)rt|steht|z(?:ä|ae)hlt|darf)\b[^?]*\b(?:dr?in|rein|hinein|enthalten|stehen|drauf|dazu|zu[mr]?|als)\b|\b(?:welche (?:angaben|punkte|inhalte|unterlagen|daten)|inhalt\p{L}*|angaben|what (?:must|has to|should) .* (?:include|contain))\b/iu,
    title: /inhalt|angaben|\bwas\b|unterlagen|gehört|zählt/iu,
    stated: /enth(?:ä|a)lt|angaben|folgende|gehören|zählen|anzugeben|:\s*$/iu,
  },
  form: {
    asked:
      /\b(?:schriftlich\p{L}*|\p{L}*form|form\p{L}*|m(?:ü|ue)ndlich\p{L}*|e-?mail|mail|whatsapp|sms|unterschr\p{L}*|in writing|elektronisch\p{L}*)\b/iu,
    title: /\bform\b|schriftlich|schriftform|textform|elektronisch/iu,
    stated: /schriftlich|schriftform|textform|elektronisch|mündlich|unterschr|in writing/iu,
  },
  definition: {
    asked:
      /\b(?:was (?:ist|sind|hei(?:ß|ss)t|bedeutet|versteht)|definition|begriff|ab wann gilt|z(?:ä|ae)hlt|gilt (?:man|ein|das|der|die)|what (?:is|are|does))\b/iu,
    title: /\bwas\b|begriff|bedeutet|zählt|gilt|what/iu,
    stated: /\b(?:ist|sind|gilt als|gelten als|zählt|zählen|bedeutet|versteht|is|are|means)\b/iu,
  },
  condition: {
    asked:
      /\b(?:anspruch|bekomm\p{L}*|krieg\p{L}*|kriegt|steht\p{L}* (?:mir|uns|ihr|ihm)|voraussetz\p{L}*|bedingung\p{L}*|unter welchen|berechtigt|entitled|eligible|qualif\p{L}*)\b/iu,
    title: /anspruch|voraussetz|\bwer\b|berechtig|entitle/iu,
    stated: /anspruch|voraussetz|setzt voraus|berechtigt|entitled/iu,
  },
  consequence: {
    asked:
      /\b(?:was passiert|folgen?|strafe\p{L}*|bu(?:ß|ss)geld\p{L}*|konsequenz\p{L}*|haft\p{L}*|what happens|penalt\p{L}*|fine)\b/iu,
    title: /folge|bußgeld|zuschlag|haftung|versp|strafe|penalt/iu,
    stated: /bußgeld|geldbuße|haftet|säumniszuschlag|unwirksam|erlischt|verliert|verfällt|penalt/iu,
  },
  procedure: {
    asked:
      /\b(?:wie (?:melde|beantrag\p{L}*|geht|mache?|gehe|l(?:ä|ae)uft|k(?:ü|ue)ndig\p{L}*|rechne\p{L}*|wird)|wo (?:melde|beantrag\p{L}*|muss)|beantragen|antrag|formular|berechn\p{L}*|how (?:do|is|to))\b/iu,
    title: /beantrag|antrag|meldung|verfahren|berechn|ermittl/iu,
    stated: /antrag|beantrag|meldung|melden|übermittel|berechne|ermittel/iu,
  },
} as const satisfies Record<string, Readonly<Record<'asked' | 'title' | 'stated', RegExp>>>;

type Aspect = keyof typeof ASPECTS;

const NAMES = Object.keys(ASPECTS) as Aspect[];

export const aspectsAsked = (question: string): readonly Aspect[] =>
  NAMES.filter((name) => ASPECTS[name].asked.test(question));

export const aspectsOfTitle = (title: string): readonly Aspect[] =>
  NAMES.filter((name) => ASPECTS[name].title.test(title));

/** The share of the requested aspects that a sentence states, 0 … 1. */
export function statedIn(sentence: string, asked: readonly Aspect[]): number {
  return asked.length === 0
    ? 0
    : asked.filter((name) => ASPECTS[name].stated.test(sentence)).length / asked.length;
}
