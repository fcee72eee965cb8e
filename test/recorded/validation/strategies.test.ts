import { beforeAll, describe, expect, it } from 'vitest';

import {
  type FieldError,
  fieldErrorCause,
  type FieldErrors,
  fieldErrorText,
} from '../../../src/api/errors/field-error.ts';
import { allOf } from '../../../src/api/errors/findings.ts';
import { loadGoRegexp } from '../../../src/api/go/go-regexp.ts';
import type { JsonObject } from '../../../src/api/json/json.ts';
import type { KubernetesObject } from '../../../src/api/meta/object.ts';
import { validateObjectMeta } from '../../../src/api/validation/object-meta-validation.ts';
import { lastNameErrors, metaRules } from '../../../src/registry/write/metadata.ts';
import { keepAllButStatus, keepStatus } from '../../../src/registry/stored/store-kind.ts';
import { type CompleteStrategy, completeStrategy } from '../../../src/registry/kinds/complete-strategy.ts';
import { writeContext } from '../../../src/registry/kinds/testdata/write-context.ts';
import { builtInKind } from '../../../src/resources/kind-table.ts';
import { policiesDisabledByGates } from '../../../src/resources/disabled-policies.ts';
import { decodePlain } from '../../../src/schema/decode.ts';
import { applyDefaults } from '../../../src/schema/default.ts';
import type { Defaulters } from '../../../src/schema/defaulters.ts';
import { currentRelease } from '../../../src/schema/kubernetes/api-enablement.ts';
import { resolveFeatureGates } from '../../../src/schema/kubernetes/feature-gates.ts';
import { builtInResources } from '../../../src/schema/kubernetes/resources.ts';
import type { Resource } from '../../../src/schema/resource.ts';
import { kindEnvironment, withoutAllocation } from '../../../src/resources/testdata/kind-environment.ts';
import { recordedMutation, withoutTypeNames } from './answer.ts';
import { type FeatureGates, mutated } from './case.ts';
import { readKinds, recordedSets } from './recorded-kinds.ts';

// The reference's responses to invalid objects (recorded by record.ts), compared with ours.

/** In versions that are converted first. */
const converted = 'device-expressions-versions';
const kinds = recordedSets.filter((set) => set !== converted).flatMap(readKinds);

beforeAll(loadGoRegexp);

function resourceOf(path: string): Resource {
  const found = builtInResources().find(({ group, version, plural }) =>
    [`${group}/${version}/${plural}`, `${version}/${plural}`].includes(path),
  );
  if (found === undefined) throw new Error(`${path} is not known`);
  return found;
}

const defaulters = new Map<string, Defaulters>();

/** The defaulters of a kind, the same object each time: compiled ones are found by identity. */
function defaultersOfKind(group: string, kind: string): Defaulters {
  const id = `${group}/${kind}`;
  const known = defaulters.get(id) ?? builtInKind(group, kind).behaviourIn(kindEnvironment()).defaulters;
  defaulters.set(id, known);
  return known;
}

async function decode({ group, kind, schema }: Resource, object: JsonObject): Promise<KubernetesObject> {
  // Stored objects have metadata.
  const decoded = decodePlain(schema, object).object as unknown as KubernetesObject;
  applyDefaults(schema, decoded, defaultersOfKind(group, kind));
  return decoded;
}

interface Write {
  readonly operation: string;
  readonly object: KubernetesObject;
  readonly old: KubernetesObject;
}

/** The errors of the kind's strategy, after the steps that precede it in a write. */
async function prepareValidation(resource: Resource, strategy: CompleteStrategy, { operation, object, old }: Write) {
  const { group, version, subresources } = resource;
  const context = writeContext(group, version);
  const scope = { dryRun: true, context };
  if (operation === 'create') await strategy.beginCreate?.(object, scope);
  else if (operation === 'update') await strategy.beginUpdate?.(object, old, scope);
  const hasStatus = subresources.some(({ name }) => name === 'status');
  if (operation === 'create') {
    if (hasStatus && strategy.keepsStatusOnCreate !== true) delete object['status'];
    object.metadata.uid ??= 'uid';
    strategy.prepareForCreate?.(object, context);
    const rules = metaRules(object, resource, strategy.nameRule);
    const errors = [
      ...allOf(validateObjectMeta(object.metadata, rules)),
      ...reported(strategy, strategy.validate?.(object, context)),
    ];
    return errors.length > 0 ? errors : allOf(lastNameErrors(object, resource, strategy.nameRule));
  }
  const part = operation === 'update' ? strategy : strategy.subresources[operation];
  if (operation === 'status') keepAllButStatus(object, old);
  else if (operation === 'update' && hasStatus) keepStatus(object, old);
  part?.prepareForUpdate?.(object, old, context);
  return [
    ...allOf(validateObjectMeta(object.metadata, metaRules(object, resource, strategy.knownNameRule))),
    ...reported(strategy, part?.validateUpdate?.(object, old, context)),
  ];
}

function reported({ tellsRepetitions }: CompleteStrategy, errors: FieldErrors = []): FieldError[] {
  return tellsRepetitions === true ? [...allOf(errors)] : distinct(errors);
}

/** Errors with the same text are reported once. */
function distinct(errors: FieldErrors = []): FieldError[] {
  return [...new Map(allOf(errors).map((error) => [fieldErrorText(error), error])).values()];
}

function shown(errors: readonly FieldError[] = []): string[][] {
  return errors.map((error) => {
    const { reason = '', message = '', field = '' } = fieldErrorCause(error);
    return [reason, withoutTypeNames(message), field];
  });
}

/** Recorded with --allow-privileged. */
function strategyOf(resource: Resource, changed: FeatureGates = {}): CompleteStrategy {
  const { group, kind } = resource;
  const featureGates = resolveFeatureGates(new Map(Object.entries(changed)), currentRelease);
  const disabledPolicies = policiesDisabledByGates(featureGates).add('privileged');
  const behaviour = builtInKind(group, kind).behaviourIn(kindEnvironment({ featureGates, disabledPolicies }));
  return completeStrategy(withoutAllocation(resource, behaviour.strategyOf(resource)), resource);
}

for (const { head, cases } of kinds) {
  const resource = resourceOf(head.resource);
  const strategy = strategyOf(resource, head.gates);
  const name = String((head.base['metadata'] as JsonObject)['name']);
  describe(`${head.resource} ${name}`, () => {
    for (const [operation, mutation, code, expected] of cases) {
      if (code !== 422 && code >= 400 && code !== 409) continue;
      // The registry's own check.
      if (expected.some(([, , field]) => field === 'metadata.resourceVersion')) continue;
      it(`${operation} ${JSON.stringify(mutation).slice(0, 150)}`, async () => {
        const base = operation === 'create' ? (head.created ?? head.base) : head.base;
        const object = await decode(resource, mutated(base, recordedMutation(mutation)));
        const old = await decode(resource, head.base);
        expect(shown(await prepareValidation(resource, strategy, { operation, object, old }))).toEqual(expected);
      });
    }
  });
}
