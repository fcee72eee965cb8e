import type { JsonObject } from '../../../api/json/json.ts';
import { changed, inSpec, renamed } from '../../parts/conversions/changed.ts';

const preservesZero = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** For v1beta1 and v1beta2. */
export const levelFromBeta2 = inSpec((spec) =>
  changed(spec, 'limited', (limited) => renamed(limited, 'assuredConcurrencyShares', 'nominalConcurrencyShares')),
);

/** v1beta3 marked an explicit zero, as opposed to the default, with an annotation. */
export function levelFromBeta3(level: JsonObject): JsonObject {
  return changed(level, 'metadata', (metadata) =>
    changed(metadata, 'annotations', ({ [preservesZero]: _gone, ...annotations }) => annotations),
  );
}
