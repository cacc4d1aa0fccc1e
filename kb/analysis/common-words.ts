import type { Language } from '../source.ts';

/**
 * The most frequent words of everyday speech, the most frequent first (from film subtitles, as in
 * `@zxcvbn-ts/language-de` 3.0.2 and `@zxcvbn-ts/language-en` 4.1.1; MIT). Questions about any subject have them.
 */
export const COMMON: Readonly<Record<Language, string>> = {
  de: `ich sie das ist du nicht die es und der wir was zu er ein in ja mir mit wie den mich auf dass aber eine so hat hier
haben für sind war von wenn dich ihr nein habe an bin noch nur da dir sich einen uns hast dem kann gut auch schon als
sein mal jetzt ihn dann aus meine um im wird mein bist doch alles weiß keine oder nach nichts man muss werden will
ihnen geht wo etwas oh mehr bei also bitte immer hab warum vor los können wieder sagen machen danke sehr alle denn
mann tun ihm zum gehen sehen vielleicht einem wer ihre diese euch einer komm über gibt okay wissen deine müssen soll
werde nie wirklich hey kein viel weg würde tut am des einfach leben hatte zeit weil willst kommen dein heute kommt
wollen damit ganz wäre wollte weißt ok sicher gesagt frau nun bis wurde leid na kannst macht dieser zurück lassen
hallo meinen gott seine hätte zwei könnte genau waren zur lass klar morgen leute vater schön glaube ab gerade tag
gesehen reden wohl liebe sollte sagte unsere jemand geld durch ob keinen mutter raus gemacht paar mach passiert dachte
besser musst wieso sir dieses selbst gehört möchte ohne hör her sag meiner anderen helfen nacht finden diesen gute
wirst lange natürlich ach meinem gar ins sei dort weiter geben seit gleich sagt recht ihren richtig ordnung vom hören
sieht davon dafür geh diesem wegen hause sollten mädchen hin sollen abend haus denke viele drei deinen freund guten
unser warte machst menschen essen angst bleiben zusammen welt unter habt schnell andere tot getan darf erst rein
stimmt nehmen kinder eines glauben bringen ganze genug scheiße brauchen gegen moment junge steht sonst musik arbeit
seid ihrer fragen herr dabei heißt familie warten niemand sofort bevor jahre einmal problem sohn wann brauche fertig
halt allein beim sprechen beide gefunden hatten sache hilfe verdammt ne jeder warst gern konnte darüber halten siehst
verstehe jahren kam kind wusste wahr seinen dazu bruder daran ihrem denken könnten dank würden lieber fall deiner sehe
egal kennen deinem vergessen frage mache komme sage mag sieh echt gib eigentlich jeden dad gab uhr stadt männer baby
fahren namen bekommen kopf hi gehe kleine später glück letzte freunde all darauf ende bald töten dinge meinst toll
eins minuten vielen bereit weit ahnung seiner bisschen tür auto jungs eure augen polizei stehen sterben hätten draußen
kenne fast runter vorbei treffen gerne dran wurden arbeiten mom verrückt neue ging hinter sorgen einzige jemanden
darum tochter braucht idee schwester drin ruhig sah ganzen spät ziemlich solltest name sogar kurz kerl frauen liegt
suchen finde je woher lang job keiner seinem hört verstehen spielen überhaupt teufel verstanden verloren große hand
grund jahr kommst mama ruhe gewesen tod stunden hoffe denkst oben gestern versuchen art letzten schatz endlich he nimm
etwa erzählt läuft schwer anders miss musste fünf wasser lässt erste versucht gekommen geschichte wenig holen bedeutet
nett wahrheit woche bringt deshalb welche bestimmt hoch alter sagst schau ah land zimmer wagen vier gefallen spaß
niemals schuld getötet wollten verlassen zeigen beste ernst unserer denen ort bleibt würdest manchmal glaubst seite
lasst zwischen eben während spiel nehme ersten guter chance freundin krieg gefällt kleinen erzählen anderes tage
entschuldigen wichtig gehst allen bett sachen the schlecht schule entschuldigung wort john hättest wären typ schlafen
äh tu euer captain gesicht falls neuen bloß unten teil beiden mensch kleiner stellen oft sorge gedacht tust trinken
einige dies ding unseren kriegen blut ehrlich eltern scheint herz jack glücklich alte alt bleib wiedersehen frei wen
drauf möglich irgendwie reicht fest besten waffe kaum irgendwas klingt platz brauchst rede papa falsch sondern alten
nummer früher jungen wohin außer früh setzen zuerst wahrscheinlich dürfen jede arsch telefon tue kennst willkommen
plan großen retten hierher wär bring fehler wollt dollar zehn allem pass nächste stunde hände gegeben menge langsam
bereits wartet sechs lieben meines büro nächsten gebe wochen ruf schaffen leider scheiß hölle trotzdem doktor tja new
voll film überall hund geworden direkt wolltest tat denkt schiff neues wem könig danach funktioniert hattest lernen
deswegen wow nennen hm feuer laufen alleine erinnern völlig kleines könnt stelle kumpel verlieren probleme spricht
kaffee luft fand entschuldige ziehen verschwinden könntest seht aufhören eigenen richtige unserem suche zwar groß hol
buch krank fühle jedes verstehst wert arzt froh versuche straße rufen heiraten super sam lebt gutes lasse onkel total
gebracht party erklären spielt wahl vertrauen damals tagen leicht nachdem gegangen gefühl kaufen geschafft typen
interessiert möchten halte hält glaub irgendwo stück genauso kennt genommen zukunft weniger cool licht getroffen
himmel nachricht drüben passt sagten kümmern laut vergiss angerufen sitzen daß erde großer schlüssel rest passieren
eher gefragt gefängnis opfer körper solche mist mr findet schreiben böse gesprochen versuch vorstellen wovon sobald
nochmal herren sex waffen wohnung weh heißen krankenhaus bringe höre millionen klasse hart worden sinn außerdem
verletzt ändern erfahren tragen wenigstens vorsichtig daddy stolz stark fällt möchtest leuten besonders schöne
schicken person schätze solange länger großartig lacht anrufen stand redest fühlen erwartet boden boss stimme glaubt
still sicherheit setz ma mund kämpfen wisst lachen hörst zeug lustig umbringen sollst hasse schlimm unglaublich wärst
laden führen gestorben schauen meinung lesen mörder frank ähm geschehen geschäft idiot verzeihung fliegen zeig team
general mike aufs york vorher schluss schneller liebt verdient mögen meisten denk umgebracht perfekt versprochen handy
hinten monate erinnere acht arbeitet fallen rufe nötig mord heraus tages unmöglich liebling charlie tatsächlich folgen
bitten behalten nähe arbeite joe verdammte plötzlich lebens hole tisch michael hörte jemals liegen verkaufen
gefährlich anfangen bekommt machte ha hotel hilft werdet meister kampf antwort konnten geschickt jedem obwohl sieben
komisch gewinnen ihres bezahlt you voller unterwegs dumm ärger bild george neu bezahlen dagegen seien starb tom
monaten leiche niemanden auge arschloch verheiratet peter zieh nimmt gerettet agent traum entscheidung schlimmer
regeln fenster fangen fort ständig findest gefahr absolut mary augenblick bescheid rum gedanken werd ziel benutzt
bewegung jemandem wünschte worte kamen welcher zahlen anfang legen erinnerst anwalt fahr sitzt hilf offen schönen
monsieur müsste arme bier fürs partner klein david klappe süß herum finger ehe rolle ließ gleiche monat hochzeit max
führt paris wach wozu arm geschrieben chef benutzen informationen erledigt hoffentlich müsst fühlt tanzen ansehen
darfst zuhause wunderbar hältst reise gewonnen dame irgendwann chffffff alex steckt jedenfalls schreit tolle rüber
tschüss nennt raum heiß foto kalt paul irgendetwas weile bisher minute unbedingt zug sekunden wofür erzähl nen beweise
nahm aller freut seele schießen müde dauert magst harry brief gelernt sucht bekannt weitere unfall dahin kontrolle
beispiel lady dasselbe herzen schlagen wütend weise damen darin gottes holt fehlt vorsicht heiße beweisen gehabt
zumindest vermisst hübsch kriegt verbindung tief richtung lage sowieso kraft normal lauf ehre stell geschenk bar
tasche gelesen gekauft wussten gestohlen hunger leg lügen beziehung ben verschwunden steh nächstes gearbeitet preis
witz meinte liste geist neben gesucht firma süße rücken schrecklich letzter verliebt öffnen redet boot seltsam
versteckt fürchte verschwinde erwischt verkauft tante erwarten pferd wunder sauer vermutlich näher major jung majestät
aussehen ans de and links großes welches beschützen geboren erreichen punkt kindern kirche verraten selber befehl
colonel fährt zieht geburtstag haut wette reich sekunde fahre schwöre geredet james madame eigene zeiten traurig anruf
nachrichten frieden karte güte euren diesmal schade persönlich kriege stirbt bleibe verändert sonne lieb nämlich
letztes bekam ruft professor gericht nase ewig singen bank beschäftigt computer yeah toten weihnachten offensichtlich
naja henry gefühle fuß show überraschung geheimnis fbi kontakt gold drogen regierung wein kriegst ermordet fotos
entfernt geschlafen manche erledigen ran gegenüber schlaf lust wunderschön witzig nick zerstört übrigens willen heim
richtigen deines namens zeigt geliebt gehören brachte herrn blick besuch schlechte bewegen haare antworten präsident
sagtest hoffnung stecken lebe rechts interessant entscheiden miteinander meint liebst indem bleibst kümmere wohnen
weder möglichkeit kaputt bekomme flugzeug vergangenheit anderer zweite armee jim tee entweder weiss don detective
aufhalten stellt verspreche überrascht sauber hau mark schlag sheriff untertitel setzt frag vaters nervös gesellschaft
verstecken schuldig hals schützen besuchen of passen überleben erhalten teilen gebäude schicksal zeichen richter
besorgt küche lief vergnügen wüsste volk lhr herausfinden königin soldaten feiern situation lag gelassen allerdings
soweit gefahren verstand bord schönes jimmy billy angefangen lee fühlst bob mussten rat worauf gebeten tony kamera
achtung lieutenant ganzes schuhe sarah glückwunsch niemandem gibst statt übernehmen gegend wald al la nimmst danny
erkennen glas falsche verantwortlich jesus stöhnt herein kleid zerstören jawohl london gegessen abendessen gesetz
gemeinsam geholfen erster wohnt schritt guck nahe aussieht beginnen dachten band ungefähr aufgabe neun furchtbar
drinnen zuvor charles freue amerika übrig spur falschen sergeant melden helfe werfen bill haltet erinnert hängt freude
ehemann erschossen verzeihen schwein uh monster entschieden mission verdammten brauch gewusst vorne stopp übel
schlampe schöner adresse unsinn messer gesund respekt pro leisten davor richard bedeuten ball mitnehmen gespielt to
schwierigkeiten hälfte kannte stehe maria planeten schwanger gruppe anna verhaftet deal seines irgendwelche händen
versteht drehen eis danken erfolg zufrieden schließen besorgen wochenende worüber stimmen nehmt martin witze beine
verbrechen bericht nachts eurer prinzessin schmerz klingelt position echte gleichen fernsehen wünsche schließlich
gefangen schätzchen seh schwierig angebot nah jane gewartet kümmert ring rennen lied eier welchen sorry fantastisch
schaut hielt falle drink insel dauern daher zufällig dorf clark bewegt mitten bullen feind einverstanden neuer bauen
trägt hängen freunden deren halb verpasst sprach leise armen wusstest fanden unternehmen träume schläft kostet spiele
unseres entlang johnny versprechen tiere freiheit verdienen aha unterhalten eingeladen schaden genannt beenden ray
geändert thomas lächerlich geschlagen park schätzen männern beginnt ehren größte energie fleisch besonderes besteht
reichen robert zeitung worum nachgedacht betrunken sowas patienten gespräch leiden taxi tötet see unterschied wind
singt schreien daniel sahen wand bus lhre angriff verhalten loch interesse treten quatsch trifft polizist blumen
neuigkeiten bringst flasche rief schuss fassen meer konntest schafft maschine spreche bein eddie bekommst verbringen
bücher blöd frühstück tommy meter bilder aufpassen claire dessen muß freuen engel offenbar gelegenheit fang lüge ohren
au angetan beeil brechen brüder zeitpunkt keinem ecke brücke druck mitgebracht seufzt date haufen oma auftrag leer
entkommen bobby weißen lösung wart pause irre gestellt keller gebrochen weinen nutzen wünschen fragt maul
verantwortung schloss hut lächeln ryan red grad zweiten hinaus mitkommen vorhin fahrt gemeint ernsthaft gebaut bombe
hasst versteh kosten zeige traf eigenes haar fragte jason operation befehle schmerzen erklärt steve dach folge
gelaufen schwarze dankbar gehirn töte mädels mut heilige laura tier system mannes wahnsinn nee rose club geschlossen
hintern is thema fiel gehalten dorthin urlaub steig vorwärts überprüfen besseres beweis baum gebt funktionieren
anscheinend lehrer hoffen bessere isst nachmittag nem risiko chuck knast entschuldigt gilt held daraus erstes fräulein
rachel prima brauchte gewalt dean liebes schaffst nachdenken tor erfahrung pläne jagen katze runde deutsche schwanz
taten lord dringend commander großvater sommer gezeigt hinterlassen gewissen getrunken wahre luke kunden kate zeugen
geplant amanda erreicht stören stein atmen hose weiße sprichst größer schickt city prinz behandelt tote überlegen
karten it restaurant welchem roger natur carter emily mami verschwindet lautet streit küssen sprich längst fängt
drüber gingen erlaubt einzigen bad schmeckt kugel normalerweise schwarzen rauf flug beruhigen walter halbe dan
geschieht einiges entdeckt morgens schlechter vollkommen gelogen verfolgt college weiteren chris louis eh schwert
hunde steigen verdammter dürfte riecht labor bat tim arthur mindestens fisch eurem füße stehst erschießen kuchen
versuchte zustand wunsch gäste erwähnt farbe van einigen zufall garten junger autos abgesehen fair vertraut koffer
hieß kurs wirkt idioten netter seitdem angegriffen geschichten wahnsinnig ähnlich lily aufgeben england entführt
mistkerl solchen ner geschossen lager besprechen reihe polizisten vogel legt strand amerikaner schwarz fern fick
scherz san erzählte wichser jake langweilig womit geschäfte my kapiert nachher verlangt schlägt überzeugt irgendjemand
rot soldat vorbereitet geschah reisen termin gang stehlen rechte rache bemerkt frankreich stört radio beruhige pferde
vertrag arbeitest dienst zählt fragst wesen bürgermeister emma fluss woran geblieben durcheinander me ted nette test
mister dadurch direktor wichtiger kevin scott karriere akte erinnerung großmutter erzähle lösen bravo griff verfolgen
zweifel such sprache nerven officer andy langer ziehe entlassen zweimal abholen washington kollegen doc fass szene
robin scheinen bösen schaffe pflicht wache neulich beeilen knie alice lauter spannende unschuldig folgt schutz weshalb
geheiratet woanders wurdest kuss verhindern erklärung video rom klug kräfte verlangen außerhalb opa selbstverständlich
aufstehen hassen pete gebrauchen geglaubt milch trink gefeuert erinnerungen müssten suchst fährst kochen schwach
schreibt schulden hinein simon grenze braut gebraucht peinlich klappt geheimnisse joey aufmerksamkeit form umsonst
kennenzulernen überlebt nirgendwo meilen einfacher blöde mond ergibt daten merken schande fuck fühlte jenny sieg satt
blödsinn adam lisa pfund handeln lois enden warm raten übersetzung kunst kapitän desto einsatz schweigen krankheit
toller schatten wachen tatsache eric stock chief hingehen verboten gäbe anzug leichen high beendet freitag million
verflucht dunkel geb enttäuscht klopfen spuren dreck seiten mühe gezogen brian kontrollieren knochen schick getrennt
programm grab ebenso trage nachbarn bieten bestes elizabeth fuhr verlässt freundlich dennoch rauchen dick stuhl dreh
bester schicke vergeben ausgehen behandeln trotz gast ändert passierte toilette annehmen herzlichen hexe erwachsen
jerry pistole saß dreht aussage liebte street genießen eifersüchtig derjenige teuer leo zähne beobachtet gentlemen
wählen helft fliegt theater regen feinde william erlauben zulassen schnappen komplett panik flughafen bewusst
deutschen voraus sterbe solltet begleiten einander fred erlebt weiterhin stärker fahrer konzentrieren streiten angeht
selben star überzeugen alkohol übersetzt verrückte lch king begann angenommen weitermachen echter jackson post
mitgenommen botschaft ideen fehlen aufgeregt selbstmord dumme zurückkommen irgendein magie phil schlage handelt treffe
untersuchen flucht verliert irgendeine gegenteil betrifft scharf gehofft kennengelernt schlimmste projekt trottel
immerhin mehrere erwarte mochte schwimmen zählen innerhalb matt blind schwestern code alan schlau absicht barry
spielst zuletzt oliver englisch ohr verletzen song schüler schien gewinnt älter merkwürdig judy vermisse größe tritt
trauen präsidenten trick harvey doug roten überlegt größten sonntag zwölf vorstellung schrieb reinkommen killer
unterstützung antun rechnung dieselbe verändern möglicherweise definitiv locker ed vincent ums abends frisch kohle
fing hure cousin familien einsam lebendig heiligen knapp ebenfalls überprüft artikel gesetzt jederzeit kompliziert
spüren signal amy stich kino probieren tode wundervoll tanz geöffnet kerle begraben prozent stoppen hoheit riesen rote
zugang liest vorn wichtige aufmachen kelly sexy erlaubnis grace big story madam leichter halben filme priester
herauszufinden packen dritte inzwischen larry presse sitze machten geklaut helden susan geduld bühne reparieren hä usa
gerechtigkeit fälle selten anrufe unterschreiben julia drücken mrs lügner endet dave medizin schreibe verhaften
prozess samstag amen motor marie abhauen chaos schönheit beinahe lebst tolles anhalten fremden hof akzeptieren norden
ärzte anziehen dingen umgehen bauch gesamte hübsche ertragen kiste brennt teile deckung landen berg straßen
aufgenommen gerufen untersuchung alarm blieb vertraue extra entspann beobachten eindruck tschüs babys wehtun zog iss
herrgott echten springen nackt existiert befreien gerät montag gezwungen perfekte erzählst bastard interessieren
schlechten hank steigt on carl gekriegt fliehen trug freundschaft rate papiere abgeschlossen schnauze beruf gebiet
jeff jedoch beten verbunden sprachen verräter wichtigste prost brust aufgehört kleider jacke bestellt herkommen wild
nenne angesehen zuhören trennen schlafzimmer vorschlag meins gift ton vermissen angekommen beantworten deutlich
träumen verwirrt akten riskieren victor find erkannt beerdigung müll weisst möge stellte mitte erleben geburt decke
wege schritte gibts gemeldet hilfst mittagessen weint vernichten rock chicago ellen crew roy türen gewehr elena
arbeitete spiegel hauen geraten dritten ross julie wetter schwul regel befindet einheit german armer gucken anstatt
champagner gründe strafe smith öfter anne zelle langen altes ruiniert jonathan kleidung gras kenn agenten
herausgefunden annie rechten brot berlin erfreut lügt nehm harte staaten station gaben hinterher verpassen geholt
jesse hemd trinke klären praktisch theorie zunge notfall besseren winter versuchst dahinter schwere feuern lucy
schießt anführer schief blau bestens wartest gehts morgan unrecht leck wonach entwickelt bedeutung strom krebs gemein
wessen minister lhnen quelle zahl schiffe schüsse bricht talent spitze fernseher treiben ausgezeichnet tatort
möglichkeiten trinkt esse cop details täter wahren dieb offiziell dienen westen entscheidungen dauernd geschmack
gegenseitig gewählt charlotte pech verteidigen schauspieler personen überlassen publikum trägst wechseln begegnet
betrogen besucht vertrau europa carrie patrick deutschland süßer loswerden melde maggie bestätigt gas sturm setze
briefe null penny schlafe wirken geführt starten götter festhalten geheim übergeben cia abteilung papier wetten
gefolgt verschiedene gleichzeitig genie hungrig inspektor zwingen atmet kuh unterstützen geworfen verlor süden pater
menschheit versteck tötete fähigkeiten beruhigt rechtzeitig streng sendung gelebt treppe kim richtiger aufnehmen wolf
pa öffnet dämon wut schlange medikamente geschenkt nenn gelegt anfassen pizza schlechtes hütte mantel behauptet
kilometer beeilung angeblich reiten helen mittag gewarnt wohne las dunkelheit spazieren angel hiermit schließt phoebe
vieles erfüllt tausend sack eindeutig unterhaltung gründen km zugeben mittel explosion gefangenen taylor frische
verdächtigen neugierig leitung kennenlernen fliege lebte menschliche anderem auseinander fressen beides ficken stoff
spüre eilig stammt vorgestellt linda welch wichtiges no gehörte mhm glaubte oberst schrank fremde gnade chloe yo
entspannen virus schläfst einladung krieger vernünftig fein greifen whoa kyle schickte per mitglied einziger
umzubringen zurückkehren feld mexiko erschaffen information hergekommen beweg stärke vermögen verbracht gewisse
waschen howard staat geister behaupten schrei würdet vögel warnen albert chancen treibt nannte vermute mitternacht
jones freundinnen lecker klinik dicht befinden ließen bürger verursacht hammer klang internet aufregend grenzen
politik superman zurecht besitz cops eingesperrt irren kommando schlug krankenwagen love öffne karen richten
mademoiselle erfunden schnee fühl behalte beschützt punkte entfernen abgehauen geträumt stefan dämonen tränen
erfolgreich volle wilson caroline höher happy brille musstest heimat terry liebsten bye leiter sean kauf spinnst werk
cent schlacht beziehungen abgemacht schreie hmm bestätigen erschreckt offizier that sara affäre empfangen zweck kämpfe
ergeben china fange häuser verliere gedanke tausende heutzutage gefühlt schnitt carlos harold lebend real holz kaiser
spielte begonnen ziehst gelandet scheidung bart beschlossen klo riechen vergisst begeistert ei durchs geil nieder
erkläre schreckliche beeindruckt vince aufgegeben aufgrund momentan solch meistens stress sterne heilen soviel kannten
stattdessen aye dinger stimmung bulle aufgefallen kämpft geräusch künstler wachsen verurteilt himmels tyler urteil
schweine nettes house verlust verließ wirf wenige willie schulter kalifornien lernt beigebracht normale anbieten
verwenden gratuliere fluch rick übers grün unterricht dachtest verarschen gewöhnt anklage tollen lippen fett lege
feigling achten gary erfährt gewohnt jessica äußerst einladen käse aufwachen verfügung uniform zusehen gesundheit
abenteuer hosen kurze scheck täglich fresse übernehme wiederholen bestellen freiwillig cole universum zeuge west
marshall fähig revier reifen mum führe durchgemacht tests führte schenken schädel realität april albern brav schwerer
jagd versagt truck steckst geschenke sicherlich öffentlichkeit merkt verbrecher maske verstärkung liefern jo starke
grunde gordon würd verschwand schulde russen führer gemerkt`,
  en: `you the to it of that and is in me for on this have was we my your be know what do not are with can don he just like
here all no out up get about right him oh go at there so her one yeah got they but want will think if now she from
well see as going his time back us did yes an them gonna good been were would had come hey how who need okay our when
take some say why didn or really could way man too down has let by something more tell make then mean over little
never said people should look off very love only doing much am thing any where two into even thank because still find
give sorry work day help life first anything sure again their these other than god won away before thought home talk
must told night call things better around last long always feel put years after please those sir place lot name made
doesn guys money ever everything great nothing keep done guy through leave wanted kind happened new being believe old
coming does came course wrong left big house might girl bad stop hello own uh hear world someone understand else
talking isn enough today getting father maybe care found music every ask same another fine family kill trying went
looking three wait car together show best stay wasn yourself job many nice dead already friend real remember mind saw
son next hi which mother wanna try thanks room hell heard seen fucking woman wouldn may knew live baby bit whole idea
head used boy ok morning hard without took called also shit saying days most start matter use ready gotta meet door ah
yet both pretty myself move guess actually while end phone such gone few haven wife person ago brother killed problem
happy alone friends men face school worry couldn case lost dad play run heart once die anyone hope bring wants fuck
tonight business true until since each soon says everyone tomorrow hand thinking working happen having year part eat
mom stuff looks kids later listen huh minute second late gave turn water kid knows open change means different minutes
inside eyes beautiful far police point under probably crazy taking asked hurt chance deal ain making pay daughter
playing fun times hit side hands makes able body important hold death story comes fight supposed least moment rest um
set started close young drink against excuse afraid game anymore word wish five week though miss easy sleep reason
mine waiting watch goes exactly gets its check hours behind number wow party truth quite husband shot married child
between cause fire question met telling four brought blood break sister em team trouble tried front sit forget read
town died couple aren needs line walk children power become office plan almost girls food speak yours gun alive cut
feeling outside safe trust news ahead save either somebody stand free answer hate high months everybody buy hmm
whatever full half lose women along seems fact running cool dear bed light order whoa country doctor clear boys sent
send living war past bye dog john taken hot leaving lives pick scared parents funny city promise stupid cannot dinner
shouldn ass asking company lady win possible himself serious book mr sort hour anyway sound shall happens six lord
sick top felt touch jack sense small seem meeting damn special jesus perfect captain luck fast control bitch words
human laughs hair hospital murder dream shut known sighs cold future glad worked drive catch anybody laughing million
longer ooh lie calling figure finally looked others black shoot fault worried honey somewhere weeks changed boss
happening seeing dance secret date fall takes loved sign questions weren piece air chuckles choice feet needed turned
bet moving return voice amazing giving strong learn given sam weird white less worth early christmas beat till ones
clean eye song sounds straight ship write rather sweet follow missing pain nobody picture welcome explain ten coffee
works kept ya definitely wonder protect busy caught kidding lucky evidence mistake mad wedding meant decided step road
building information report alright watching careful evening tv ride land worse situation entire pull mm movie tired
hurry sex handle sometimes system mouth act birthday throw attack law finish dark ma class yesterday message king
wonderful completely lying michael broke expect month poor joe quiet sell bag using floor talked lead ground hasn pass
street clothes forever dangerous wear drop red daddy across born single thinks speaking hang frank test age table
david anywhere york history george train ran area near during swear paid marry feels spend box charlie middle strange
uncle round bought terrible court agree state boat proud quick mike tom space security join sitting accident forgot
forward totally saved ha relationship list crime station normal suppose fish gentlemen wearing master scene charge
missed fell stopped key buddy fix offer personal instead short fear ring prison simple group american calm difficult
fighting mess trip record position angry letter wake finished share honest deep fair crying marriage kiss cover seven
hide seat present lunch ball smart imagine killing dare certain realize respect interested mmm paper sad gold problems
majesty hotel peace calls involved card fool decision moved standing darling perhaps rock brain soul interesting visit
broken upset mary smell starting horse tough killer hungry attention quickly president america earth peter government
lovely spent surprise fly public bar stick tea became cute james english appreciate force blow film girlfriend accept
lee laugh ben eight ladies prove yep store within walking paul sing window likes seconds dude dress contact plane ice
camera drunk huge christ support continues cry sake gift miles absolutely lived liked wall loves cell afternoon bank
truck cop officer often partner service general blue stuck chief certainly eating doubt joke enjoy experience
boyfriend cops lawyer teach none screaming sun putting reach holding grunts tree passed apartment club idiot rules
favorite forgive rich count mission continue driving radio machine difference whether dying jail wrote beginning harry
field favor feelings magic choose board evil shop patient hundred college private bastard sea learned match nervous
alex spot wind video carry upon third pleasure risk kim rid dreams immediately excited staying promised named type owe
star wine listening worst impossible grow sleeping earlier slow victim decide glass helping army final cash mate gives
quit foot henry blame dollars picked bus helped escape bill thousand herself french energy arrest goodbye address yo
enemy allowed ways bigger max aah taste ourselves shoes honor fit weapon build ow themselves surprised figured push
search bunch fuckin begin everywhere unless hiding gasps track hadn orders jimmy teacher low jim congratulations
kitchen bob innocent further bear bother drinking arm level willing usually seriously played books arms art acting
hole pressure planet locked deserve obviously tony steal keeping built starts drugs memory names battle race church
beer waste treat suit grab detective mention gotten shh dramatic stage jump suddenly hoping hero places arrived nick
holy dirty eh destroy apart stole notice complete fired press closed showed opportunity plans price steve leg computer
cat lt lieutenant following village legs pictures duty judge danger apologize narrator closer losing smile suspect
action keeps besides extra mama pregnant mark witness london conversation turns writing breakfast admit sky wondering
heavy crew except roll bathroom guns guilty bloody green warm grunting ugh kick smoke upstairs form above seemed
chicken bomb reading gas color prince danny throat sarah cost itself neck twice study nose summer interest engine burn
plays empty tight aw crowd billy ringing singing strength sold pulled fresh bottom knife weekend shooting responsible
allow spirit hearing client walked colonel fat island cake asleep corner crap skin richard stories investigation bro
restaurant groans goddamn johnny nine cook powerful flight medical held drug account brothers rain bottle famous
taught ray shows awesome ridiculous folks cheers weapons written trial raise park paris whoo biggest local advice main
onto due asshole moon survive file planning tells training lock keys breathing relax military awful language breath
professor knowing laughter dogs prepared chris driver bringing river necessary guard photo spoke pants lied lights
murdered jake grand soft practice clearly leaves common towards agent truly older audience bobby wild career lots
monster la animals loud flying code fake cars dropped checked hat emergency bird hanging matters tommy consider animal
large rule hurts nature flowers camp realized aware roger neither jane bullshit especially rings ended simply whose
sight leader beyond fucked target silly adam surgery condition double blind meat games sergeant lies faith letting
serve however greatest comfortable plenty cheering speed noticed numbers stars discuss purpose belong band mrs cross
goodness beg note correct outta size paying eddie concerned cup queen student tape knock character easier issue
incredible market criminal ought breaking arrested focus guest program path ends teeth super lay department kinda
travel several agreed major feed fellow health papers robert vote charles trick finding pieces mommy cream possibly
shame natural justice heaven beauty create fbi process project challenge turning ideas invited destroyed season weak
recognize responsibility sweetheart chinese beach mum bell operation soldiers jin bodies opened dan whom add points
credit failed gosh opinion view gay records dressed cousin believed members somehow kevin chair faster created dumb
milk remain property breathe nowhere afford martin nope german access distance de dancing received manager sword
research heat nah brings cards base member interview proof opening lab south doc highness birds united insane
forgotten damage pack selling dry weight pretend shirt perfectly students balls easily memories stayed amount chatter
location birth nearly fan expected horrible daniel falling threw followed states hm ghost movies stolen fill medicine
heading ordered kate example shouting lately opens oil desk suggest bite dave community cares grace screams signal
bucks center indistinct goin copy matt heads among draw recently anna jealous expecting noise regret north west sudden
aunt mountain exist shower indeed brave ticket doors safety dating lines suicide ours bridge grew showing usual sees
bullet connection command total devil thoughts san contract fate social prefer commander thomas pool andy jason
applause roof hardly disappeared event female madam sending details release handsome barely caused loose science
forced introduce harder covered began lonely ryan wash nuts loss bright likely owner although scary journey harm
streets jerry original delicious jeff amy weather soldier dna scott split chest director pop staff mentioned doin
exciting santa meal finger block literally stone pray rose returned spanish sunday fingers freedom familiar style
russian basically cases changes universe signed letters strike male planned ho growing pete ruined enter tie stomach
dick friday lisa ate obvious complicated answers speech rachel eric settle tiny ugly discovered reality ears reasons
buried aye competition mood horses parts pal william manage hidden divorce reached permission simon finds headed slept
chose grandma van runs soo drinks eggs dig british saturday expensive attacked hired wet remind nonsense trees babe
lift legal victims map ruin pocket brian funeral lucy lesson success grown larry guests statement alarm japanese
results happiness sweetie assume thousands photos prepare raised farm gate princess rough nor saving storm panting
tongue england tense younger site neighborhood cheese fought powers fred revenge families hall walter papa watched
player paint avoid model alice arthur filled woo professional request spare gang secrets shape buying sooner whoever
france pair dealing spread bread celebrate personally led proper subject yelling bedroom data bike threat curious
emily clock downstairs jobs coat carefully theory invite nights rights grateful tears kang scare gary moves trap rent
based rush genius slowly walls tour humans text confused han plant deliver belongs meaning direction official flat
foreign committed brilliant sugar becomes pos murderer stops otherwise minister understood page higher unit terms
warning trade fantastic stronger post plate artist society wound painting cooking cancer ohh ji burning crash
particular honestly faces inspector al gentleman yourselves woods picking pig romantic tickets regular role spell
issues soup awake fancy knowledge claire ancient source patients charges changing boring kelly percent giant deeply
advantage theme capable offered officers fixed motherfucker beeping football pounds according grandpa rate concern
suffer apparently solve ed garden enemies aside ocean doctors luke barry tim managed kicked healthy period insurance
appear poison waited nurse shots glasses tall forest shake vehicle chocolate dies carrying properly winner treatment
thief bleeding defense physical available closes phil airport badly fail burned groaning jacket maria drove angel
naked crack babies assistant east positive mistakes directly snow grave becoming toilet plus emma laura per vacation
value josh talent rise rick cheap extremely butt fortune shock woke edge ashamed dr incident grandfather spring
pulling checking rescue appointment treasure disappear carl result re including media touched stood ill performance
treated firm palace exact jerk washington connected annie whenever appears hearts skills useless goal image joy
illegal alan license jury switch bones louis effect bags schedule effort considered knocking precious metal claim
carter political violence below china ear bath traffic lips files joking piano rat sheriff steps eventually ted lover
cameras disease kyle rice released throwing tied online fully liar nation egg mystery winter courage pills europe
protection winning heavily maggie sat bleep convince successful passing suck pissed jackson tip suffering mirror
receive affair monday miracle sexy former unfortunately beating elizabeth laid pizza score screwed ªâ device remains
min leo odd presence gentle chicago dean freak forces actual joey hong shopping sisters california grandmother rome
ahh hunting bone national emotional sean hunt century smith signs jenny popular rare jung attorney songs riding sexual
arrive hated toast trapped pushed cure television lower technology excellent jo convinced italian drag borrow refuse
li shift swim coach sacrifice helen clue served reports desperate darkness jones speaks mexico escaped knees stealing
mercy progress rooms shoulder cast anger rude repeat current moments expert solution smells surely desire similar
notes warrant button blew loving creature pride fallen stranger exchange kinds ability leads separate square punch
victory closing cleaning friendship decent surface pot scream exhales clever flower tear factory stairs studio susan
trash americans hook millions helps wood equipment grade chat er wide searching terry witch remove scoffs screen
material direct spy hug fishing id chuck spending howard warn circumstances amen eaten tests load indian task parking
talks chances guards pure ordinary taylor wanting vision understanding route bless wheel sale bride background victor
mail provide garage reputation jae secure pie alien pleased julie debt juice karen false lake hire spoken india
learning depends yellow priest upbeat dust bruce houses mask sentence pity carried disgusting demon chosen staring roy
trusted pardon rocks gods horn puts disappointed defend midnight potential unusual wise uniform remembered clark
morgan leading behavior mountains sucks ambulance pushing joined suspenseful attitude silent screw castle campaign
rope clicks chain tail confidence sara japan ships design brains range abandoned hundreds silver custody desert
clients curse identity explosion eve hitting hurting series embarrassing merry cab holiday pilot julia events option
hank gordon piss customers dong friendly approach sharp suspicious wire setting robin alcohol andrew sauce actor
collect greg gorgeous christian highly hits guarantee nightmare seek minds attempt panic candy stands engaged elevator
border fruit falls prisoner clears intelligence detail failure entirely mayor hates wishes patrick conference knocked
wherever monkey destiny trace earn fellas mostly troops chuckling row stock armed basement estate anne object lily
dish defeat dirt mental telephone facts wins agreement jamie sides oliver jay bravo transfer begins accepted
coincidence commit dump protecting blows alert cow thrown pen sometime wings reporter stays blowing stopping version
wave jackie firing writer flesh settled perform opposite footage messed useful gasping silence yup brown chasing
unique title studying zero fella counting solid smoking bored tires wasting dozen agents childhood yi embarrassed heh
delivery impressed jessica cutting marks movement decisions carol chase germany zone texas sons massive nasty johnson
authority circle impressive mi whore amanda trained urgent lack parties tank intense april hung linda violent snake
slip abby previously crossed survived shadow jesse reward specific quietly belt modern jordan policy billion yu
someday beast library intend hollywood jumped doll players tyler nothin africa teaching softly climb molly temple
injured threatened beeps fans mister senior ceremony golden prize passion witnesses gt parker june possibility garbage
beloved stress loser betty drama yang deserves launch trail explanation sand closet thin reported harvey assure
degrees deck messages newspaper doug disaster reaction entered royal adult confident mysterious salt marcus shine
punishment kidnapped approaching sin fourth balance windows marty sec chirping gather los loan uncomfortable designed
related robbery butter tae somethin entrance breaks guitar episode sally deny virus package shy vegas cruel ending
wayne bow madame backup tone phones greater supply advance bars ross kissed frankie bury aboard beth couch warned seo
mixed product ignore believes quality toward chattering crimes lifetime suffered trigger theater secretary dollar
latest edward article offering magazine argue kingdom sports swing kills betrayed culture politics teams neighbor
crush barking eun worries bound nathan duke cabin recall champagne xiao chef chloe bastards stan gain tricks hannah
partners assault comfort ll accused confirm yard sensitive hill katie fuel response fashion gear tunnel asks negative
wilson capital workers section bullets confirmed joseph sandwich status emperor selfish guide lf guts struggle donna
pathetic thee annoying voices units outfit joint youth refused attend lou painful gym jokes dawn term mac heck shoe
yay hee footsteps actions vincent taxi baseball begging customer punk fever subtitles pretending blake digging smiling
ominous wallet valuable ls cia rolling nuclear toy impression suits angela drawing brand murders sobbing margaret bowl
cheating education mix quarter thunder bust fed da removed species miller enjoying iron recent flag agency ali maid
normally choi cooper sweat options mass jess activity confess therapy unknown tracks bills systems charlotte swimming
self tuesday tower growling squad cigarette extraordinary charged miserable shown uses delivered awkward costs cave
behalf conditions loyal sophie enjoyed demand network waves touching roman hitler rob exit crisis thursday plastic
collection industry creatures answering cleared na wore mile laws blast nancy freaking slave prisoners reckon
surveillance pussy generation dishes beef homework robot wasted bang reveal recording lucas pink forth spirits korea
legend boxes boots timing thy talkin arranged pattern rip wolf mustn neighbors host investigate interrupt insist walks
cleaned rape champion comin marie`,
};
