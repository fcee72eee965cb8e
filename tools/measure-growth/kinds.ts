import type { JsonObject } from '../../src/api/json/json.ts';
import { completeStrategy } from '../../src/registry/kinds/complete-strategy.ts';
import { builtInKind } from '../../src/resources/kind-table.ts';
import { policiesDisabledByGates } from '../../src/resources/disabled-policies.ts';
import { kindEnvironment, withoutAllocation } from '../../src/resources/testdata/kind-environment.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { readKinds, recordedSets } from '../../test/recorded/validation/recorded-kinds.ts';
import type { KindOfWork } from './work.ts';

/** A kind with a valid object whose lists are grown. */
export interface GrowingKind extends KindOfWork {
  readonly base: JsonObject;
}

const environment = kindEnvironment({ disabledPolicies: policiesDisabledByGates(new Map()).add('privileged') });

/** All stored kinds in their storage version. */
export async function growingKinds(): Promise<GrowingKind[]> {
  const bases = recordedBases();
  return Promise.all(
    storedResources().map(async (resource) => {
      const behaviour = builtInKind(resource.group, resource.kind).behaviourIn(environment);
      return {
        resource,
        strategy: completeStrategy(withoutAllocation(resource, behaviour.strategyOf(resource)), resource),
        defaulters: behaviour.defaulters,
        table: await behaviour.tableOf(resource),
        base: bases.get(`${resource.group}/${resource.plural}`) ?? bareObject(resource),
      };
    }),
  );
}

function storedResources(): Resource[] {
  return builtInResources().filter(
    ({ group, version, storage }) => storage?.group === group && storage.version === version,
  );
}

function recordedBases(): Map<string, JsonObject> {
  return new Map(
    recordedSets.flatMap(readKinds).map(({ head }) => {
      const [group = '', , plural = ''] =
        head.resource.split('/').length === 3 ? head.resource.split('/') : ['', '', head.resource.split('/')[1]];
      return [`${group}/${plural}`, head.base];
    }),
  );
}

function bareObject({ group, version, kind, namespaced }: Resource): JsonObject {
  const metadata = { name: 'a', ...(namespaced ? { namespace: 'default' } : {}) };
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata };
}
