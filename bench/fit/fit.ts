// `npm run fit -- likeness|sentences|sources|relevance|beside`, in this order: fits what is learned of choosing answers, prints the
// weights, and says by cross-validation over topics how well they carry over. `npm run fit -- sources|relevance FOLDER …` fits those of
// passages of documents on the collections in these folders, each held out as a whole.
import { SETS } from '../eval-sets.ts';
import { readCollections } from '../documents/collection-set.ts';
import { fitBeside } from './beside.ts';
import { fitLikeness } from './likeness.ts';
import { fitRelevance } from './relevance.ts';
import { fitSentences } from './sentences.ts';
import { fitSources } from './sources.ts';

const FITS = {
  likeness: fitLikeness,
  sentences: fitSentences,
  sources: fitSources,
  relevance: fitRelevance,
  beside: fitBeside,
} as const;

const name = process.argv[2] ?? '';
if (!(name in FITS)) {
  console.error(`usage: npm run fit -- ${Object.keys(FITS).join('|')}`);
  process.exit(2);
}
if (!SETS.some((set) => set.name === 'xquad' && set.here)) {
  console.log(
    'No evaluation data beside the project (../shared/eval): weights would not carry over to other bases.',
  );
  process.exit(1);
}
await FITS[name as keyof typeof FITS](await readCollections(process.argv.slice(3)));
