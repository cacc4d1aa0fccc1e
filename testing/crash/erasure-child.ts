// Records and erases in the given folder until it is killed; prints each acknowledged step.
import { ErasurePlace } from '../../services/audit/erasure/place.suite.ts';

const [folder, name] = process.argv.slice(2) as [string, string];
const place = await ErasurePlace.open(folder);
const eraser = place.eraser();
const tell = (line: string): void => void process.stdout.write(`${line}\n`);
tell('ready');
for (let round = 0; ; round++) {
  const ids = Array.from({ length: 8 }, (_, n) => `r-${name}-${round}-${n}`);
  await Promise.all(ids.map((id) => place.answer(id, 400 * (1 + (round % 5)))));
  await Promise.all(
    ids.slice(2).map(async (id) => {
      await place.rate(id);
      tell(`asked ${id}`);
      await place.erase(eraser, id);
      tell(`erased ${id}`);
    }),
  );
}
