/*
 * Compares our codecs with the reference's over random objects of all kinds and prints differences. Needs Go.
 *
 *   node tools/compare-codecs/main.ts [SEED] [COUNT]
 */
import { seeded } from '../random-objects/random.ts';
import { readArguments } from '../arguments.ts';
import { compareObjects, describeDifference } from './compare.ts';
import { ReferenceCodecs } from './reference-codecs.ts';

const { positionals } = readArguments({ allowPositionals: true });
const [seed = '1', count = '1000'] = positionals;
const batch = 500;
const shownDifferences = 20;

using reference = new ReferenceCodecs();
const random = seeded(Number(seed));
const startMs = performance.now();
let compared = 0;
let differences = 0;
for (let left = Number(count); left > 0; left -= batch) {
  const result = compareObjects(random, Math.min(left, batch), reference);
  for (const each of result)
    if (differences++ < shownDifferences) process.stdout.write(`${describeDifference(each)}\n`);
  compared += Math.min(left, batch);
  if (compared % 5000 === 0) process.stderr.write(`${compared} objects, ${differences} differences\n`);
}
const seconds = Math.round((performance.now() - startMs) / 1000);
process.stdout.write(`seed ${seed}: ${compared} objects in ${seconds} s, ${differences} differences\n`);
process.exitCode = differences === 0 ? 0 : 1;
