import { formatApiVersion } from '../../../src/api/meta/group-version.ts';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { servedResources } from '../../../src/schema/kubernetes/api-enablement.ts';
import { builtInResources } from '../../../src/schema/kubernetes/resources.ts';
import type { Resource } from '../../../src/schema/resource.ts';
import { samples } from '../../all-resources/objects.ts';

/** The namespace of the samples. */
export const namespace = 'e2e';

/** A resource whose objects are recorded. */
export interface RecordedKind {
  /** `deployments.v1.apps` */
  readonly label: string;
  readonly resource: Resource;
  /** Where creates are sent, as dry runs. */
  readonly path: string;
  readonly sample: JsonObject;
}

/** Every kind served by default for which there is a valid object. */
export function recordedKinds(): readonly RecordedKind[] {
  const served = new Set(servedResources(new Map()));
  return builtInResources()
    .filter((resource) => served.has(resource) && resource.storage !== undefined && resource.verbs.includes('create'))
    .flatMap((resource) => {
      const { group, version, plural, kind, namespaced } = resource;
      const sample = samples[`${group}/${version}/${plural}`] ?? samples[`${group}/${plural}`];
      if (sample === undefined) return [];
      const apiVersion = formatApiVersion(group, version);
      const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const collection = namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
      const name = sample.name ?? 'sample';
      return [
        {
          label: `${plural}.${version}.${group}`,
          resource,
          path: `${collection}?dryRun=All`,
          sample: { apiVersion, kind, ...sample.body, metadata: { name } },
        },
      ];
    });
}
