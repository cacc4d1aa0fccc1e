/**
 * Words without a subject: articles, pronouns, forms of `sein` and `haben`, the most frequent prepositions. The list is
 * short on purpose: `ohne`, `mehr`, `wann`, `muss` distinguish questions, and how little a word says is learned.
 */
export const GERMAN = `der die das dem den des ein eine einer eines einem einen
ich mich mir mein meine meiner meines meinem meinen du dich dir dein deine deiner deines deinem deinen
er sie es ihn ihm ihnen ihr ihre ihrer ihres ihrem ihren sein seine seiner seines seinem seinen
wir uns unser unsere unserer unseres unserem unseren euch euer man sich dies diese dieser dieses diesem diesen
bin bist ist sind seid war waren wäre wären wird werden wurde wurden
hab habe hast hat haben hatte hatten hätte hätten
am an auf aus bei beim da für im in vom von zu zum zur als daß dass denn nicht noch nun ob so um und oder was wer wie`;

export const ENGLISH = `a an the me my mine you your yours he him his she her hers it its we us our ours they them their theirs
this that these those what which who when where why how am are is was were be been being have has had having do does did
doing can could should would cannot aren couldn didn doesn don hadn hasn haven isn shouldn wasn weren won wouldn
about as at by for from in into of on to with during between and or but because if than then there not any some so`;

/**
 * Words in which a question is put, whatever it asks about. They count where two `asked` lines are compared, because `wann`
 * and `wo` ask for different things. They are ignored in documents.
 */
export const GERMAN_OF_QUESTIONS = `wann wo woher wohin warum wieso weshalb womit wofür wodurch wieviel welche welcher welches welchen welchem
ab bis seit nach vor mit über unter durch gegen während kann kannst können könnte könnten darf darfst dürfen muss musst müssen müsste
soll sollen sollte sollten will wollen möchte mag gibt geht gehen passiert heißt etwas jemand jemanden alles sonst eigentlich dann denn
auch schon nur mal genau bitte brauche braucht brauchen mache macht machen mach tun tut
bekomme bekommst bekommt bekommen kriege kriegst kriegt kriegen funktioniert funktionieren fürs ins ans aufs ums vorm übers`;

export const ENGLISH_OF_QUESTIONS = `get gets got getting need needs needed happen happens happened someone somebody something anyone anybody
anything people thing things there may might must shall will please want wants tell make makes made go goes going also just really`;
