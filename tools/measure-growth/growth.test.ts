import { expect, test } from 'vitest';
import { growingKinds } from './kinds.ts';
import { isSuperLinear, measure } from './measure.ts';
import { fillings, placeName, placesOf } from './places.ts';

// A subset of what main.ts measures: places that were once worse than linear.
const places: readonly (readonly [kind: string, place: string, works: readonly string[]])[] = [
  ['Node', 'status.addresses', ['update of a small one']],
  ['Pod', 'spec.containers[].ports', ['validation', 'warnings']],
  ['Pod', 'spec.tolerations', ['update of itself']],
  ['Pod', 'spec.volumes[].secret.items', ['warnings']],
  ['ResourceQuota', 'spec.scopeSelector.matchExpressions', ['validation']],
  ['Service', 'spec.ports', ['validation']],
  ['Service', 'spec.loadBalancerSourceRanges', ['update of itself']],
  ['ValidatingAdmissionPolicy', 'spec.auditAnnotations', ['validation']],
  ['ValidatingWebhookConfiguration', 'webhooks', ['validation']],
];

const count = 3000;
const kinds = await growingKinds();

test.each(places)('%s: twice as many %s cost twice as much', { timeout: 120_000 }, async (kind, name, works) => {
  const growing = kinds.find(({ resource }) => resource.kind === kind);
  if (growing === undefined) throw new Error(`there is no ${kind}`);
  const place = [...placesOf(growing.resource.schema)].find((one) => placeName(one) === name);
  if (place === undefined) throw new Error(`${kind} has no ${name}`);
  for (const filling of fillings) {
    const growths = await measure(growing, place, { filling, count, works: new Set(works), stretches: false });
    expect(growths.map(({ work }) => work)).toEqual(works);
    expect(growths.filter((growth) => isSuperLinear(growth) || growth.failure !== undefined)).toEqual([]);
  }
});
