import { fold } from '../analysis/analysis.ts';

/**
 * Towns by country, most of those with more than a hundred thousand people, because a law of the whole country is the
 * same in all of them. Names that are also words (`Essen`, `Halle`) are left out.
 */
const TOWNS: Readonly<Record<string, string>> = {
  DE: `Aachen Augsburg Berlin Bielefeld Bochum Bonn Bottrop Braunschweig Bremen Bremerhaven Chemnitz Cottbus Darmstadt Dortmund Dresden
Duisburg Düsseldorf Erfurt Erlangen Frankfurt Freiburg Fürth Gelsenkirchen Gera Göttingen Gütersloh Hagen Hamburg Hanau
Hannover Heidelberg Heilbronn Herne Hildesheim Ingolstadt Jena Karlsruhe Kassel Kiel Koblenz Köln Krefeld Leipzig Leverkusen Lübeck
Ludwigshafen Magdeburg Mainz Mannheim Moers Mönchengladbach München Münster Neuss Nürnberg Oberhausen Offenbach Oldenburg Osnabrück
Paderborn Pforzheim Potsdam Recklinghausen Regensburg Remscheid Reutlingen Rostock Saarbrücken Salzgitter Siegen Solingen Stuttgart Trier
Ulm Wiesbaden Wolfsburg Wuppertal Würzburg`,
};

const folded = new Map(
  Object.entries(TOWNS).map(([country, towns]) => [
    country,
    new Set(towns.split(/\s+/u).map((town) => fold(town, 'de'))),
  ]),
);

/** Whether a word, as `fold` gives it, names a town of a country, given by its code. */
export const isTownOf = (country: string, word: string): boolean => folded.get(country)?.has(word) === true;
