import { expect, test } from 'vitest';
import { compareObjects, describeDifference } from '../../tools/compare-codecs/compare.ts';
import { missingReference, ReferenceCodecs } from '../../tools/compare-codecs/reference-codecs.ts';
import { seeded } from '../../tools/random-objects/random.ts';

const count = 2000;
const batch = 500;
const missing = missingReference();

test.skipIf(missing !== undefined)(
  `${count} random objects of all kinds are read and written as by the reference's codecs, each form sent to the other (${missing ?? 'with Go'})`,
  { timeout: 600_000 },
  () => {
    using reference = new ReferenceCodecs();
    const seed = Number(process.env['BINNACLE_SEED'] ?? Date.now() % 2 ** 31);
    console.log(`BINNACLE_SEED=${seed}`);
    const random = seeded(seed);
    for (let done = 0; done < count; done += batch) {
      expect(compareObjects(random, batch, reference).map(describeDifference), `seed ${seed}`).toEqual([]);
    }
  },
);
