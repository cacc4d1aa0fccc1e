/**
 * For each rule of the starter base: other facts, a value that is right exactly at the limit, and one that is wrong by
 * a cent, a day or the smallest relevant step. Written by hand from the law, not from the rules.
 */
export const BOUNDARY_CASES = `
mindestlohn                        | monat=2021-08                                              | 9,60 €      | 9,59 €
mindestlohn-monat                  | monat=2022-03; arbeitsstunden=160                          | 1.571,20 €  | 1.571,19 €
mindestlohn-stundenlohn-summe      | monat=2022-03; stunden=100; stundenlohn=9,82               | 982,00 €    | 981,99 €
stunden-mal-stundenlohn            | monat=2022-03; stunden=100; stundenlohn=15,55              | 1.555,00 €  | 1.555,01 €
mindestlohn-betrag                 | monat=2022-07                                              | 10,45 €     | 10,44 €
minijob-stunden                    | monat=2022-03                                              | 45 Std      | 46 Std
minijob-stunden-frueher            | monat=2020-03                                              | 48 Std      | 49 Std
teilzeit-anteil                    | vollzeitentgelt=4.000 €; wochenstunden=20; vollzeitstunden=40 | 2.000,00 € | 1.999,98 €
tagesarbeitszeit                   |                                                            | 10 Stunden  | 10,01 Stunden
tagesarbeitszeit-jugend            | alter=17                                                   | 8,5 Stunden | 8,51 Stunden
tagesarbeitszeit-schwanger         | schwanger=ja                                               | 8,5 Stunden | 8,51 Stunden
wochenarbeitszeit                  |                                                            | 60 Stunden  | 60,01 Stunden
wochenarbeitszeit-jugend           | minderjaehrig=ja                                           | 40 Stunden  | 40,01 Stunden
pause                              | tagesarbeitszeit=9,5 Stunden                               | 45 Minuten  | 44 Minuten
pause-jugend                       | tagesarbeitszeit=7; alter=16                               | 60 Minuten  | 59 Minuten
ruhezeit                           |                                                            | 11 Stunden  | 10,99 Stunden
ruhezeit-schwanger                 | schwanger=ja; ruhezeit_verkuerzbar=ja                      | 11 Stunden  | 10,99 Stunden
bbg-rv-monat-west                  | jahr=2018; rechtskreis=West                                | 6.500,00 €  | 6.500,01 €
bbg-rv-monat-ost                   | jahr=2019; rechtskreis=Ost                                 | 6.150,00 €  | 6.149,99 €
bbg-rv-jahr-west                   | jahr=2020; rechtskreis=West                                | 82.800 €    | 82.800,01 €
bbg-rv-jahr-ost                    | jahr=2021; bundesland=Sachsen                              | 80.400 €    | 80.399,99 €
bbg-knappschaft-monat-west         | jahr=2022; rechtskreis=West                                | 8.650 €     | 8.650,01 €
bbg-knappschaft-monat-ost          | jahr=2022; rechtskreis=Ost                                 | 8.350 €     | 8.350,01 €
bbg-knappschaft-jahr-west          | jahr=2021; rechtskreis=West                                | 104.400 €   | 104.399,99 €
bbg-knappschaft-jahr-ost           | jahr=2021; rechtskreis=Ost                                 | 99.000 €    | 99.000,01 €
bezugsgroesse-monat-west           | jahr=2018; rechtskreis=West                                | 3.045 €     | 3.045,01 €
bezugsgroesse-monat-ost            | jahr=2019; rechtskreis=Ost                                 | 2.870 €     | 2.869,99 €
bezugsgroesse-jahr-west            | jahr=2020; rechtskreis=West                                | 38.220 €    | 38.220,01 €
bezugsgroesse-jahr-ost             | jahr=2022; rechtskreis=Ost                                 | 37.800 €    | 37.799,99 €
bbg-kv-monat                       | jahr=2019                                                  | 4.537,50 €  | 4.537,51 €
bbg-kv-jahr                        | jahr=2022                                                  | 58.050 €    | 58.049,99 €
jaeg                               | jahr=2021                                                  | 64.350 €    | 64.350,01 €
jaeg-besondere                     | jahr=2018                                                  | 53.100 €    | 53.099,99 €
durchschnittsentgelt               | jahr=2020                                                  | 40.551 €    | 40.551,01 €
rv-satz                            | jahr=2022                                                  | 18,6 %      | 18,61 %
rv-satz-an                         | jahr=2019                                                  | 9,3 %       | 9,29 %
rv-satz-ag                         | jahr=2018                                                  | 9,3 %       | 9,31 %
rv-satz-knappschaft                | jahr=2022                                                  | 24,7 %      | 24,69 %
av-satz                            | jahr=2021                                                  | 2,4 %       | 2,5 %
av-satz-an                         | jahr=2020                                                  | 1,2 %       | 1,21 %
av-satz-ag                         | jahr=2022                                                  | 1,2 %       | 1,19 %
kv-satz                            | jahr=2021                                                  | 14,6 %      | 14,59 %
kv-satz-an                         | jahr=2021                                                  | 7,3 %       | 7,29 %
kv-satz-ag                         | jahr=2022                                                  | 7,3 %       | 7,29 %
kv-zusatzsatz-durchschnitt         | jahr=2022                                                  | 1,3 %       | 1,29 %
pv-satz                            | jahr=2020                                                  | 3,05 %      | 3,06 %
pv-satz-ag                         | jahr=2022; bundesland=Sachsen                              | 1,025 %     | 1,525 %
pv-zuschlag                        | jahr=2022; kinderlos=ja; alter=24                          | 0,35 %      | 0,34 %
pv-zuschlag-keiner                 | jahr=2022; kinderlos=nein                                  | 0 %         | 0,35 %
insolvenzgeldumlage-satz           | jahr=2022                                                  | 0,09 %      | 0,12 %
faktor-f                           | monat=2022-09                                              | 0,7509      | 0,7510
sv-tage                            | voller_monat=ja                                            | 30 Tage     | 29 Tage
sv-tage-hoechstens                 |                                                            | 30 Tage     | 31 Tage
anteilige-bbg-rv                   | monat=2021-11; rechtskreis=Ost; sv_tage_jahr=330           | 73.700,00 € | 73.700,01 €
anteilige-bbg-kv                   | monat=2020-06; eintritt=01.05.2018                         | 28.125,00 € | 28.124,99 €
einmalzahlung-rv                   | monat=2021-11; rechtskreis=West; sv_tage_jahr=330; sv_brutto=7.000 €; rv_entgelt_jahr=77.000 €; einmalzahlung=5.000 € | 1.100,00 € | 1.100,01 €
einmalzahlung-kv                   | monat=2021-11; sv_tage_jahr=330; sv_brutto=4.000 €; kv_entgelt_jahr=44.000 €; einmalzahlung=10.000 € | 9.212,50 € | 9.212,51 €
maerzklausel                       | monat=2022-02; eintritt=01.01.2020; sv_brutto=4.500 €; kv_entgelt_jahr=9.000 €; einmalzahlung=1.000 € | ja | nein
rv-an                              | monat=2022-03; sv_brutto=8.000 €; rechtskreis=West         | 655,65 €    | 655,66 €
rv-ag                              | monat=2022-03; sv_brutto=3.333,33 €                        | 310,00 €    | 309,99 €
av-an                              | monat=2021-08; sv_brutto=7.500 €; rechtskreis=Ost          | 80,40 €     | 80,41 €
av-ag                              | monat=2020-05; sv_brutto=3.000 €                           | 36,00 €     | 36,01 €
kv-an                              | monat=2022-03; sv_brutto=4.000 €; zusatzbeitrag=1,3 %      | 318,00 €    | 318,02 €
kv-ag                              | monat=2021-03; sv_brutto=6.000 €; zusatzbeitrag=1,2 %      | 382,16 €    | 382,14 €
pv-ag                              | monat=2022-08; sv_brutto=3.000 €; bundesland=Sachsen       | 30,75 €     | 30,77 €
insolvenzgeldumlage                | monat=2022-03; sv_brutto=3.000 €; midijob=nein             | 2,70 €      | 2,71 €
insolvenzgeldumlage-keine          | monat=2022-03; sv_brutto=3.000 €; oeffentlicher_arbeitgeber=ja | 0,00 € | 0,01 €
rv-an-geringverdiener              | monat=2022-03; azubi=ja; sv_brutto=325 €                   | 0,00 €      | 0,01 €
av-an-geringverdiener              | monat=2022-03; azubi=ja; sv_brutto=325 €                   | 0,00 €      | 0,01 €
kv-an-geringverdiener              | monat=2022-03; azubi=ja; sv_brutto=325 €                   | 0,00 €      | 0,01 €
pv-an-geringverdiener              | monat=2022-03; azubi=ja; sv_brutto=325 €                   | 0,00 €      | 0,01 €
saeumniszuschlag                   | rueckstand=1.049 €; saeumnis_monate=2                      | 20,00 €     | 20,01 €
minijob-entgelt                    | monat=2022-03                                              | 450,00 €    | 450,01 €
minijob-grenze                     | monat=2022-03                                              | 450 €       | 450,01 €
midijob-entgelt                    | monat=2022-03                                              | 1.300,00 €  | 1.300,01 €
midijob-grenze                     | monat=2022-03                                              | 1.300 €     | 1.299,99 €
midijob-bemessung                  | monat=2022-03; midijob_entgelt=1.000 €                     | 960,44 €    | 960,46 €
rv-ag-midijob                      | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €                     | 93,00 €     | 93,01 €
rv-an-midijob                      | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €                     | 85,64 €     | 85,66 €
av-ag-midijob                      | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €                     | 12,00 €     | 12,01 €
av-an-midijob                      | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €                     | 11,06 €     | 11,08 €
kv-ag-midijob                      | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €; zusatzbeitrag=1,3 % | 79,50 €     | 79,52 €
kv-an-midijob                      | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €; zusatzbeitrag=1,3 % | 73,22 €     | 73,26 €
kv-zusatz-ag-midijob               | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €; kv_zusatzsatz=1,3 % | 6,50 €      | 6,51 €
kv-zusatz-an-midijob               | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €; kv_zusatzsatz=1,3 % | 5,98 €      | 6,00 €
pv-ag-midijob                      | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €; bundesland=Bayern  | 15,25 €     | 15,27 €
pv-an-midijob                      | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €; bundesland=Bayern; kinderlos=ja; alter=40 | 17,41 € | 17,44 €
minijob-kv-satz                    | jahr=2022                                                  | 13 %        | 13,01 %
minijob-rv-satz                    | jahr=2022; privathaushalt=ja                               | 5 %         | 15 %
minijob-rv-satz-an                 | jahr=2022                                                  | 3,6 %       | 3,7 %
minijob-rv-satz-an-befreit         | jahr=2022; rv_befreit=ja                                   | 0 %         | 3,6 %
minijob-kv-betrag                  | monat=2022-03; minijob_entgelt=450 €                       | 58,50 €     | 58,51 €
minijob-rv-betrag                  | monat=2022-03; minijob_entgelt=450 €                       | 67,50 €     | 67,49 €
minijob-rv-betrag-an               | monat=2022-03; minijob_entgelt=100 €                       | 17,55 €     | 17,53 €
minijob-rv-betrag-an-befreit       | monat=2022-03; minijob_entgelt=450 €; rv_befreit=ja        | 0,00 €      | 16,20 €
minijob-steuer-satz                | jahr=2022                                                  | 2 %         | 2,01 %
minijob-steuer-betrag              | monat=2022-03; minijob_entgelt=450 €                       | 9,00 €      | 9,01 €
minijob-mindestbemessung           | monat=2022-03                                              | 175 €       | 174,99 €
kurzfristig-arbeitstage            | jahr=2022                                                  | 70 Tage     | 71 Tage
geringverdiener-grenze             | jahr=2022                                                  | 325 €       | 325,01 €
ausbildungsverguetung-2020         | ausbildungsjahr=2; ausbildungsbeginn=01.08.2020            | 607,70 €    | 607,69 €
ausbildungsverguetung-2021         | ausbildungsjahr=3; ausbildungsbeginn=31.12.2021            | 742,50 €    | 742,49 €
ausbildungsverguetung-2022         | ausbildungsjahr=4; ausbildungsbeginn=01.01.2022            | 819,00 €    | 818,99 €
soli                               | monat=2022-03; lohnsteuer=1.500 €; steuerklasse=I; kfb=0   | 10,35 €     | 10,36 €
soli-satz                          | jahr=2022                                                  | 5,5 %       | 5,4 %
soli-freigrenze                    | jahr=2021; steuerklasse=III                                | 2.826 €     | 2.826,01 €
sachbezug-steuerfrei               | monat=2022-03                                              | 50,00 €     | 50,01 €
corona-bonus                       | monat=2022-03                                              | 1.500,00 €  | 1.500,01 €
betriebsveranstaltung              | monat=2021-12                                              | 110,00 €    | 110,01 €
personalrabatt                     | jahr=2021                                                  | 1.080 €     | 1.080,01 €
mitarbeiterbeteiligung             | jahr=2022                                                  | 1.440 €     | 1.440,01 €
gesundheitsfoerderung              | jahr=2020                                                  | 600 €       | 600,01 €
notbetreuung                       | jahr=2021                                                  | 600 €       | 600,01 €
uebungsleiterpauschale             | jahr=2021                                                  | 3.000 €     | 3.000,01 €
ehrenamtspauschale                 | jahr=2022                                                  | 840 €       | 840,01 €
erholungsbeihilfe                  | jahr=2022                                                  | 156 €       | 156,01 €
gruppenunfallversicherung          | jahr=2022                                                  | 100 €       | 100,01 €
aushilfe-stundenlohn               | monat=2022-03                                              | 15,00 €     | 15,01 €
aushilfe-tageslohn                 | monat=2022-03                                              | 120,00 €    | 120,01 €
aushilfe-arbeitstage               | monat=2022-03                                              | 18 Tage     | 19 Tage
sonntagszuschlag-satz              | monat=2022-03                                              | 50 %        | 50,01 %
unterkunft-doppelter-haushalt      | monat=2022-03                                              | 1.000 €     | 1.000,01 €
sachbezugsfreigrenze               | jahr=2022                                                  | 50 €        | 44 €
pauschsteuersatz-aushilfe          | jahr=2022                                                  | 25 %        | 24,99 %
pauschsteuersatz-minijob-20        | jahr=2022                                                  | 20 %        | 20,01 %
pauschsteuersatz-landwirtschaft    | jahr=2022                                                  | 5 %         | 5,01 %
pauschsteuersatz-fahrtkosten       | jahr=2022                                                  | 15 %        | 14,99 %
pauschsteuersatz-betriebsveranstaltung | jahr=2022                                              | 25 %        | 25,01 %
pauschsteuersatz-mahlzeiten        | jahr=2022                                                  | 25 %        | 24,99 %
pauschsteuersatz-erholungsbeihilfe | jahr=2022                                                  | 25 %        | 25,01 %
pauschsteuersatz-37b               | jahr=2022                                                  | 30 %        | 29,99 %
pauschsteuersatz-gruppenunfall     | jahr=2022                                                  | 20 %        | 20,01 %
sachbezugswert-verpflegung         | monat=2022-03                                              | 270 €       | 270,01 €
sachbezugswert-fruehstueck         | monat=2022-03                                              | 56 €        | 55,99 €
sachbezugswert-mittagessen         | monat=2022-03                                              | 107 €       | 107,01 €
mahlzeit-fruehstueck               | monat=2022-03                                              | 1,87 €      | 1,86 €
mahlzeit-mittagessen               | monat=2022-03                                              | 3,57 €      | 3,58 €
arbeitnehmer-pauschbetrag          | monat=2022-03                                              | 1.000 €     | 999,99 €
nachtzuschlag-satz                 | monat=2022-03; nachtarbeit_0_4=nein                        | 25 %        | 25,01 %
nachtzuschlag-satz-0-4             | monat=2022-03; nachtarbeit_0_4=ja                          | 40 %        | 40,01 %
feiertagszuschlag-satz             | monat=2022-03; besonderer_feiertag=nein                    | 125 %       | 125,01 %
feiertagszuschlag-satz-besonders   | monat=2021-12; besonderer_feiertag=ja                      | 150 %       | 150,01 %
nachtzuschlag                      | monat=2022-03; nachtstunden=10; sfn_grundlohn=60 €; nachtarbeit_0_4=nein | 125,00 € | 125,01 €
sonntagszuschlag                   | monat=2022-03; sonntagsstunden=8; sfn_grundlohn=20 €       | 80,00 €     | 80,01 €
firmenwagen-privat                 | monat=2022-03; listenpreis=40.050 €                        | 400,00 €    | 400,50 €
firmenwagen-arbeitsweg             | monat=2022-03; listenpreis=40.000 €; entfernung=20 km      | 240,00 €    | 239,99 €
fahrtkostenzuschuss                | monat=2022-03; fahrtage=15; entfernung=25                  | 116,25 €    | 116,26 €
verpflegungspauschale              | monat=2022-03; abwesenheit=24 Stunden                      | 28 €        | 28,01 €
anmeldungszeitraum                 | monat=2022-03; lohnsteuer_vorjahr=5.000 €                  | vierteljährlich | monatlich
entlastungsbetrag                  | jahr=2022; kinder=2                                        | 4.248 €     | 4.248,01 €
sachbezugswert-unterkunft          | monat=2022-03                                              | 241 €       | 241,01 €
sachbezugswert-unterkunft-azubi    | monat=2022-03; azubi=ja                                    | 204,85 €    | 204,84 €
bav-steuerfrei                     | jahr=2022                                                  | 6.768 €     | 6.768,01 €
bav-beitragsfrei                   | jahr=2022                                                  | 3.384 €     | 3.384,01 €
bav-grenze-steuerfrei              | jahr=2020                                                  | 6.624 €     | 6.624,01 €
bav-grenze-steuerfrei-monat        | jahr=2021                                                  | 568 €       | 567,99 €
bav-grenze-beitragsfrei            | jahr=2021                                                  | 3.408 €     | 3.407,99 €
bav-grenze-beitragsfrei-monat      | jahr=2019                                                  | 268 €       | 268,01 €
bav-zuschuss                       | monat=2022-03; entgeltumwandlung=200 €; sv_ersparnis=ja    | 30,00 €     | 29,99 €
bav-zuschuss-frueher               | monat=2021-05; entgeltumwandlung=100 €; sv_ersparnis=ja; entgeltumwandlung_seit=01.01.2019 | 15,00 € | 14,99 €
bav-foerderbetrag                  | jahr=2022; bav_arbeitgeberbeitrag=960 €                    | 288 €       | 288,01 €
pkv-zuschuss                       | monat=2022-03; pkv_beitrag=700 €                           | 350,00 €    | 350,01 €
pkv-zuschuss-vorjahr               | monat=2020-01; pkv_beitrag=760 €                           |             | 351,66 €
pkv-zuschuss-ermaessigt            | monat=2022-03; altersrentner=ja                            | 370,07 €    | 370,08 €
entgeltfortzahlung-tage            |                                                            | 42 Tage     | 43 Tage
entgeltfortzahlung-satz            |                                                            | 100 %       | 99,99 %
u1-erstattungssatz                 |                                                            | 80 %        | 80,01 %
u2-erstattungssatz                 |                                                            | 100 %       | 99,99 %
kinderkrankentage                  | jahr=2022; alleinerziehend=nein                            | 30 Tage     | 31 Tage
kinderkrankentage-alleinerziehend  | jahr=2022; alleinerziehend=ja                              | 60 Tage     | 61 Tage
kug-satz-erhoeht                   | monat=2022-02; kug_bezugsmonat=7; entgeltausfall=50 %; kug_kind=ja | 87 % | 86 %
kug-satz                           | monat=2022-05; kug_kind=nein; kug_bezugsmonat=3            | 60 %        | 67 %
kug-satz-frueher                   | monat=2019-05; kug_kind=ja                                 | 67 %        | 66,99 %
kurzarbeitergeld                   | monat=2022-05; nettoentgeltdifferenz=500 €; kug_satz=60 %  | 300,00 €    | 300,02 €
kug-bemessung                      | monat=2022-02; soll_entgelt=3.000 €; ist_entgelt=1.000 €   | 1.600,00 €  | 1.600,01 €
mutterschaftsgeld                  |                                                            | 13,00 €     | 13,01 €
mutterschaftsgeld-zuschuss         | netto_kalendertag=60 €                                     | 47,00 €     | 46,99 €
mutterschutz-beginn                | entbindungstermin=01.08.2021                               | 20.06.2021  | 21.06.2021
mutterschutz-ende                  | entbindung=28.07.2021; entbindungstermin=01.08.2021        | 26.09.2021  | 25.09.2021
elternzeit-anmeldung               | elternzeit_beginn=01.06.2022                               | 13.04.2022  | 14.04.2022
elternzeit-wochenstunden           | kind_geboren=01.09.2021                                    | 32 Stunden  | 32,01 Stunden
pflegezeit                         |                                                            | 6 Monate    | 7 Monate
familienpflegezeit                 |                                                            | 24 Monate   | 25 Monate
familienpflegezeit-wochenstunden   |                                                            | 15 Stunden  | 14,99 Stunden
urlaub                             | arbeitstage_woche=5                                        | 20 Tage     | 19 Tage
urlaub-jugend                      | minderjaehrig=ja; alter=16; arbeitstage_woche=6            | 27 Tage     | 26 Tage
zusatzurlaub                       | schwerbehindert=ja; arbeitstage_woche=5                    | 5 Tage      | 4 Tage
teilurlaub                         | urlaubsanspruch=30 Tage; volle_monate=5                    | 13 Tage     | 12 Tage
urlaubsentgelt                     | verdienst_13_wochen=9.750 €; arbeitstage_woche=5; urlaubstage_genommen=10 | 1.500,00 € | 1.499,98 €
kuendigungsfrist-arbeitnehmer      | kuendigung_durch=Arbeitnehmer; probezeit=nein              | 4 Wochen    | 27 Tage
kuendigungsfrist-arbeitgeber-kurz  | kuendigung_durch=AG; betriebszugehoerigkeit=18 Monate      | 28 Tage     | 27 Tage
kuendigungsfrist-arbeitgeber       | kuendigung_durch=AG; betriebszugehoerigkeit=8 Jahre        | 3 Monate    | 2 Monate
kuendigungsfrist-probezeit         | kuendigung_durch=AG; probezeit=ja                          | 2 Wochen    | 13 Tage
kuendigungsfrist-azubi             | azubi=ja; probezeit=nein; kuendigung_durch=AN              | 4 Wochen    | 27 Tage
kuendigungstermin-arbeitnehmer     | kuendigung_durch=AN; probezeit=nein; kuendigung_zugang=01.03.2022 | 31.03.2022 | 30.03.2022
kuendigungstermin-arbeitgeber-kurz | kuendigung_durch=AG; betriebszugehoerigkeit=1; kuendigung_zugang=18.03.2022 | 15.04.2022 | 14.04.2022
kuendigungstermin-arbeitgeber      | kuendigung_durch=AG; betriebszugehoerigkeit=5; kuendigung_zugang=31.01.2022 | 31.03.2022 | 30.03.2022
kuendigungstermin-probezeit        | kuendigung_durch=AG; probezeit=ja; kuendigung_zugang=01.03.2022 | 15.03.2022 | 14.03.2022
probezeit-dauer                    |                                                            | 6 Monate    | 7 Monate
probezeit-dauer-azubi              | azubi=ja                                                   | 4 Monate    | 5 Monate
klagefrist                         | kuendigung_zugang=01.03.2022                               | 22.03.2022  | 23.03.2022
befristung-dauer                   |                                                            | 2 Jahre     | 25 Monate
befristung-verlaengerungen         |                                                            | 3           | 4
abfindung-1a                       | monatsverdienst=3.000 €; betriebszugehoerigkeit=103 Monate | 13.500 €    | 13.499,99 €
ueberlassungsdauer                 |                                                            | 18 Monate   | 19 Monate
beitraege-gezahlt                  | monat=2021-08                                              | 27.08.2021  | 28.08.2021
beitragsnachweis                   | monat=2021-08                                              | 25.08.2021  | 26.08.2021
lohnsteueranmeldung                | monat=2021-08                                              | 10.09.2021  | 11.09.2021
lohn-gezahlt                       | monat=2021-08                                              | 30.09.2021  | 01.10.2021
jahresmeldung                      | monat=2020-12                                              | 15.02.2021  | 16.02.2021
uv-jahresmeldung                   | monat=2020-12                                              | 16.02.2021  | 17.02.2021
anmeldung                          | eintritt=01.02.2022                                        | 15.03.2022  | 16.03.2022
abmeldung                          | austritt=31.01.2022                                        | 14.03.2022  | 15.03.2022
rv-brutto | monat=2022-03; sv_brutto=8.000 €; rechtskreis=West; sv_tage=30 | 7.050,00 € | 7.049,99 €
rv-brutto-hoechstens | monat=2022-03; rechtskreis=West | 7.050,00 € | 7.050,01 €
kv-brutto | monat=2022-03; sv_brutto=8.000 €; sv_tage=30 | 4.837,50 € | 4.837,49 €
kv-brutto-hoechstens | monat=2022-03 | 4.837,50 € | 4.837,51 €
rv-brutto-minijob | monat=2022-03; minijob=ja; sv_brutto=100 € | 175,00 € | 175,01 €
kv-brutto-minijob | monat=2022-03; minijob=ja; sv_brutto=400 € | 400,00 € | 400,01 €
rv-brutto-midijob | monat=2022-03; midijob=ja; midijob_entgelt=1.000 € | 960,44 € | 960,42 €
kv-brutto-midijob | monat=2022-03; midijob=ja; midijob_entgelt=1.000 € | 960,44 € | 960,46 €
pv-satz-an | monat=2022-01; kinderlos=ja; alter=23; bundesland=Hessen | 1,875 % | 1,525 %
pv-an | monat=2022-08; sv_brutto=3.000 €; kinderlos=ja; alter=30; bundesland=Bayern | 56,25 € | 56,23 €
kv-an-ohne-zusatzsatz | monat=2022-03; sv_brutto=4.000 € | 292,00 € | 291,98 €
kv-ag-ohne-zusatzsatz | monat=2022-03; sv_brutto=4.000 € | 292,00 € | 291,98 €
kv-zusatz-an | monat=2022-03; sv_brutto=4.000 €; kv_zusatzsatz=1,3 % | 26,00 € | 26,01 €
kv-zusatz-ag | monat=2022-03; sv_brutto=4.000 €; kv_zusatzsatz=1,3 % | 26,00 € | 25,99 €
umlage-u1 | monat=2022-03; sv_brutto=3.000 €; u1_satz=1,6 % | 48,00 € | 48,01 €
umlage-u2 | monat=2022-03; sv_brutto=3.000 €; u2_satz=0,4 % | 12,00 € | 11,99 €
kv-an-werkstudent | monat=2022-03; werkstudent=ja; sv_brutto=1.500 € | 0,00 € | 0,01 €
kv-ag-werkstudent | monat=2022-03; werkstudent=ja; sv_brutto=1.500 € | 0,00 € | 0,01 €
pv-an-werkstudent | monat=2022-03; personengruppe=106; sv_brutto=1.500 € | 0,00 € | 0,01 €
pv-ag-werkstudent | monat=2022-03; personengruppe=106; sv_brutto=1.500 € | 0,00 € | 0,01 €
av-an-werkstudent | monat=2022-03; werkstudent=ja; sv_brutto=1.500 € | 0,00 € | 0,01 €
av-ag-werkstudent | monat=2022-03; werkstudent=ja; sv_brutto=1.500 € | 0,00 € | 0,01 €
rv-an-rentner | monat=2021-08; personengruppe=119; sv_brutto=3.000 € | 0,00 € | 0,01 €
rv-ag-rentner | monat=2021-08; personengruppe=119; sv_brutto=3.000 € | 279,00 € | 279,01 €
av-an-rentner | monat=2021-08; personengruppe=119; sv_brutto=3.000 € | 0,00 € | 0,01 €
av-ag-rentner | monat=2022-08; personengruppe=119; sv_brutto=3.000 € | 36,00 € | 36,01 €
av-ag-rentner-frueher | monat=2021-08; personengruppe=119; sv_brutto=3.000 € | 0,00 € | 0,01 €
rv-an-minijob | monat=2022-03; personengruppe=109; sv_brutto=450 € | 16,20 € | 16,22 €
rv-an-minijob-befreit | monat=2022-03; personengruppe=109; beitragsgruppe=6-5-0-0; sv_brutto=450 € | 0,00 € | 16,20 €
rv-ag-minijob | monat=2022-03; minijob=ja; sv_brutto=450 € | 67,50 € | 67,51 €
kv-ag-minijob | monat=2022-03; minijob=ja; sv_brutto=450 € | 58,50 € | 58,49 €
kv-an-minijob | monat=2022-03; minijob=ja; sv_brutto=450 € | 0,00 € | 0,01 €
av-an-minijob | monat=2022-03; minijob=ja; sv_brutto=450 € | 0,00 € | 0,01 €
av-ag-minijob | monat=2022-03; minijob=ja; sv_brutto=450 € | 0,00 € | 5,40 €
pv-ag-minijob | monat=2022-03; minijob=ja; sv_brutto=450 € | 0,00 € | 6,86 €
kv-zusatz-an-geringverdiener | monat=2021-05; personengruppe=121; sv_brutto=325 € | 0,00 € | 2,11 €
rv-ag-geringverdiener | monat=2021-05; personengruppe=121; beitragsgruppe=1111; sv_brutto=325 € | 60,45 € | 30,23 €
av-ag-geringverdiener | monat=2021-05; personengruppe=121; beitragsgruppe=1111; sv_brutto=325 € | 7,80 € | 3,90 €
kv-ag-geringverdiener | monat=2021-05; personengruppe=121; beitragsgruppe=1111; sv_brutto=325 € | 51,68 € | 25,84 €
kv-zusatz-ag-geringverdiener | monat=2021-05; personengruppe=121; beitragsgruppe=1111; sv_brutto=325 € | 4,23 € | 5,53 €
pv-ag-geringverdiener | monat=2021-05; personengruppe=121; beitragsgruppe=1111; kinderlos=nein; sv_brutto=325 € | 9,92 € | 4,96 €
rv-satz-ag-knappschaft | monat=2021-05; knappschaftlich=ja | 15,4 % | 9,3 %
rv-brutto-knappschaft | monat=2021-05; personengruppe=101; beitragsgruppe=1111; bundesland=Hessen; knappschaftlich=ja; sv_brutto=9.000 € | 8.700,00 € | 9.000,00 €
rv-an-knappschaft | monat=2021-05; personengruppe=101; beitragsgruppe=1111; bundesland=Hessen; knappschaftlich=ja; sv_brutto=8.700,01 € | 809,10 € | 1.074,45 €
rv-ag-knappschaft | monat=2021-05; personengruppe=101; beitragsgruppe=1111; bundesland=Hessen; knappschaftlich=ja; sv_brutto=8.700,01 € | 1.339,80 € | 809,10 €
pv-an-minijob | monat=2022-03; minijob=ja; sv_brutto=450 € | 0,00 € | 0,01 €
mutterschaftsgeld-monat | monat=2021-08 | 403,00 € | 403,01 €
mutterschaftsgeld-zuschuss-monat | monat=2021-08; netto_kalendertag=60 € | 1.457,00 € | 1.457,01 €
entgeltausfall | soll_entgelt=3.000 €; ist_entgelt=1.500 € | 50 % | 49,4 %
kuendigungstermin-tag | kuendigung_durch=arbeitgeber; betriebszugehoerigkeit=1; probezeit=nein; kuendigung_zugang=03.08.2021 | 15.09.2021 | 16.09.2021
kuendigungstermin-monatsende | kuendigung_durch=arbeitgeber; betriebszugehoerigkeit=3; probezeit=nein; kuendigung_zugang=03.08.2021 | 31.10.2021 | 15.10.2021
lohnsteuer | monat=2021-08; rechtskreis=West; steuerklasse=IV; steuerbrutto=2536,23 €; kv_zusatzsatz=1,3 %; kinderlos=nein; bundesland=Hessen | 284,08 € | 284,09 €
kirchensteuer | monat=2021-08; lohnsteuer=400 €; kinderfreibetraege=0; bundesland=Hessen; konfession=ev | 36,00 € | 36,01 €
kirchensteuer-hoechstens | monat=2021-08; lohnsteuer=400 €; steuerklasse=I; bundesland=Hessen; konfession=ev | | 36,01 €
soli-kinder | monat=2021-08; steuerklasse=III; kinderfreibetraege=1; steuerbrutto=9.000 €; rechtskreis=West; elterneigenschaft=ja; lohnsteuer=1.839,33 €; kv_zusatzsatz=1,3 %; bundesland=Hessen | 0,00 € | 0,01 €
soli-hoechstens | monat=2022-03; lohnsteuer=1.500 €; steuerklasse=I | | 10,37 €
kv-brutto-werkstudent | monat=2022-03; personengruppe=106; midijob=ja; sv_brutto=706 € | 0,00 € | 627,67 €
kv-brutto-privat | monat=2022-03; krankenversicherung=privat; sv_brutto=6.000 € | 0,00 € | 6.000,00 €
kv-an-privat | monat=2022-03; krankenversicherung=privat | 0,00 € |
kv-ag-privat | monat=2022-03; krankenversicherung=privat | 0,00 € |
pv-an-privat | monat=2022-03; krankenversicherung=privat | 0,00 € |
pv-ag-privat | monat=2022-03; krankenversicherung=privat | 0,00 € |
kv-zusatz-an-privat | monat=2022-03; krankenversicherung=privat | 0,00 € | 31,44 €
kv-zusatz-ag-privat | monat=2022-03; krankenversicherung=privat | 0,00 € | 31,44 €
kug-satz-ab-juli-2022 | monat=2022-08; kug_kind=nein | 60 % | 67 %
sv-tage-teilmonat | monat=2022-03; eintritt=10.03.2022 | 22 Tage | 23 Tage
umlage-u1-midijob | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €; u1_satz=1,6 % | 15,37 € | 15,38 €
umlage-u2-midijob | monat=2022-03; midijob=ja; midijob_entgelt=1.000 €; u2_satz=0,5 % | 4,80 € | 4,81 €
insolvenzgeldumlage-midijob | monat=2022-03; midijob=ja; midijob_entgelt=1.000 € | 0,86 € | 0,87 €
kv-ag-minijob-privat | monat=2022-03; minijob=ja; krankenversicherung=privat; sv_brutto=450 € | 0,00 € | 58,50 €
minijob-kv-betrag-privat | monat=2022-03; krankenversicherung=privat; minijob_entgelt=450 € | 0,00 € | 58,50 €
kv-an-firmenzahler | monat=2022-03; bgr=9111; sv_brutto=6.000 €; zusatzbeitragssatz=1,3 % | 384,58 € | 384,60 €
kv-ag-firmenzahler | monat=2022-03; bgr=9111; sv_brutto=6.000 €; zusatzbeitragssatz=1,3 % | 384,58 € | 384,60 €
pv-an-firmenzahler | monat=2022-03; bgr=9111; sv_brutto=6.000 €; bundesland=Hessen; kinderlos=ja; alter=40 | 90,70 € | 90,72 €
pv-ag-firmenzahler | monat=2022-03; bgr=9111; sv_brutto=6.000 €; bundesland=Hessen | 73,77 € | 73,79 €
rv-an-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 € | 186,00 € | 186,01 €
rv-ag-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 € | 334,80 € | 334,83 €
av-an-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 € | 24,00 € | 24,01 €
av-ag-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 € | 24,00 € | 24,01 €
kv-an-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 €; zusatzbeitragssatz=1,3 % | 159,00 € | 159,02 €
kv-ag-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 €; zusatzbeitragssatz=1,3 % | 286,20 € | 286,24 €
pv-an-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 €; bundesland=Hessen; elterneigenschaft=ja | 30,50 € | 30,52 €
pv-ag-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 €; bundesland=Hessen | 54,90 € | 54,93 €
umlage-u1-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 €; u1_satz=1,6 % | 32,00 € | 32,01 €
umlage-u2-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 €; u2_satz=0,5 % | 10,00 € | 10,01 €
insolvenzgeldumlage-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 € | 1,80 € | 1,81 €
rv-brutto-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 € | 2.800,00 € | 2.800,01 €
kv-brutto-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 € | 2.800,00 € | 2.800,01 €
kv-zusatz-an-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 €; zusatzbeitragssatz=1,3 % | 13,00 € | 13,01 €
kv-zusatz-ag-kurzarbeit | monat=2022-03; soll_entgelt=3.000 €; ist_entgelt=2.000 €; sv_brutto=2.000 €; zusatzbeitragssatz=1,3 % | 23,40 € | 23,42 €
kv-zusatz-an-firmenzahler | monat=2022-03; bgr=9111; sv_brutto=6.000 €; zusatzbeitragssatz=1,3 % | 31,44 € | 31,45 €
kv-zusatz-ag-firmenzahler | monat=2022-03; bgr=9111; sv_brutto=6.000 €; zusatzbeitragssatz=1,3 % | 31,44 € | 31,45 €
rv-brutto-geringverdiener | monat=2022-03; azubi=ja; sv_brutto=285 € | 285,00 € | 285,01 €
kv-brutto-geringverdiener | monat=2022-03; azubi=ja; sv_brutto=285 € | 285,00 € | 285,01 €
kv-brutto-firmenzahler | monat=2022-03; bgr=9111; sv_brutto=6.000 € | 4.837,50 € | 4.827,50 €
minijob-stunden-ab-oktober-2022 | monat=2022-11 | 43 Std | 44 Std
midijob-bemessung-ab-oktober-2022 | monat=2022-11; midijob_entgelt=1.000 € | 913,59 € | 913,61 €
rv-ag-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 € | 103,79 € | 103,82 €
rv-an-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 € | 66,13 € | 66,15 €
av-ag-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 € | 13,39 € | 13,42 €
av-an-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 € | 8,53 € | 8,55 €
kv-ag-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 €; zusatzbeitrag=1,3 % | 88,73 € | 88,78 €
kv-an-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 €; zusatzbeitrag=1,3 % | 56,53 € | 56,56 €
kv-zusatz-ag-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 €; kv_zusatzsatz=1,3 % | 7,26 € | 7,29 €
kv-zusatz-an-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 €; kv_zusatzsatz=1,3 % | 4,62 € | 4,64 €
pv-ag-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 €; bundesland=Bayern | 17,02 € | 17,05 €
pv-an-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 €; bundesland=Bayern; kinderlos=ja; alter=40 | 14,04 € | 14,07 €
rv-brutto-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 € | 913,59 € | 913,61 €
kv-brutto-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 € | 913,59 € | 913,61 €
umlage-u1-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 €; u1_satz=1,6 % | 14,62 € | 14,63 €
umlage-u2-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 €; u2_satz=0,5 % | 4,57 € | 4,58 €
insolvenzgeldumlage-midijob-ab-oktober-2022 | monat=2022-11; midijob=ja; midijob_entgelt=1.000 € | 0,82 € | 0,83 €
energiepreispauschale | monat=2022-09; steuerklasse=I | 300 € | 301 €
inflationsausgleichspraemie | monat=2022-11 | 3.000 € | 3.000,01 €
rv-brutto-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 € | 500 € | 500,02 €
rv-ag-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 € | 75,00 € | 75,01 €
rv-an-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 € | 18,00 € | 18,02 €
av-ag-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 € | 6,00 € | 6,01 €
av-an-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 € | 3,46 € | 3,48 €
kv-ag-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 €; zusatzbeitrag=1,3 % | 39,75 € | 39,77 €
kv-an-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 €; zusatzbeitrag=1,3 % | 22,97 € | 23,01 €
kv-zusatz-ag-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 €; kv_zusatzsatz=1,3 % | 3,25 € | 3,26 €
kv-zusatz-an-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 €; kv_zusatzsatz=1,3 % | 1,87 € | 1,89 €
pv-ag-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 €; bundesland=Bayern | 7,63 € | 7,64 €
pv-an-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 €; bundesland=Bayern; kinderlos=nein | 4,41 € | 4,44 €
kv-brutto-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 € | 394,50 € | 394,52 €
umlage-u1-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 €; u1_satz=1,6 % | 8,00 € | 8,01 €
umlage-u2-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 €; u2_satz=0,5 % | 2,50 € | 2,51 €
insolvenzgeldumlage-bestandsschutz | monat=2022-11; midijob=ja; midijob_entgelt=500 €; sv_brutto=500 € | 0,45 € | 0,46 €
`;
