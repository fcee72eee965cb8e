import { keptBy } from '../api/collections/kept-by.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueGroup, CatalogueVersion } from '../catalogue/catalogue-group.ts';
import { apiServices, groupOf, nameOf } from './api-service.ts';

/** On APIServices that servers create automatically. */
export const automanagedLabel = 'kube-aggregator.kubernetes.io/automanaged';

/** `onstart`: reconciled at each start of a server, otherwise left to users. `true`: always reconciled. */
export type Management = 'onstart' | 'true';

export interface WantedService {
  readonly management: Management;
  readonly spec: {
    readonly group?: string;
    readonly version: string;
    readonly groupPriorityMinimum: number;
    readonly versionPriority: number;
  };
}

/** The APIServices of this server's own versions, by name. The version of APIServices itself needs none. */
export const wantedServices = keptBy((catalogue: Catalogue): ReadonlyMap<string, WantedService> => {
  const wanted = new Map<string, WantedService>();
  for (const group of catalogue.allGroups()) {
    for (const [name, spec] of specsOf(group)) wanted.set(name, management(catalogue, spec));
  }
  return wanted;
});

/** One of them. Each new definition asks for the one of its group, so this does not look at the others. */
export function wantedService(catalogue: Catalogue, name: string): WantedService | undefined {
  const spec = specsIn(catalogue, groupOf(name)).get(name);
  return spec && management(catalogue, spec);
}

/** Names of the APIServices that differ between two catalogues in these groups. */
export function* changedServices(before: Catalogue, now: Catalogue, groups: Iterable<string>): Generator<string> {
  for (const group of groups) {
    const was = specsIn(before, group);
    const wanted = specsIn(now, group);
    for (const name of was.keys()) if (!wanted.has(name)) yield name;
    for (const [name, spec] of wanted) if (was.get(name) !== spec) yield name;
  }
}

type Specs = ReadonlyMap<string, WantedService['spec']>;

const none: Specs = new Map();

function specsIn(catalogue: Catalogue, name: string): Specs {
  const group = catalogue.group(name);
  return group === undefined ? none : specsOf(group);
}

const specsOf = keptBy((group: CatalogueGroup): Specs => {
  const specs = new Map<string, WantedService['spec']>();
  if (group.name === apiServices.group) return specs;
  for (const version of group.known()) {
    const spec = wantedSpec(version);
    if (spec !== undefined) specs.set(nameOf(version.group, version.version), spec);
  }
  return specs;
});

const wantedSpec = keptBy(({ group, version, localPriority }: CatalogueVersion): WantedService['spec'] | undefined =>
  localPriority === undefined || localPriority.group === 0
    ? undefined
    : {
        ...(group === '' ? {} : { group }),
        version,
        groupPriorityMinimum: localPriority.group,
        versionPriority: localPriority.version,
      },
);

function management(catalogue: Catalogue, spec: WantedService['spec']): WantedService {
  return { management: catalogue.isOfRelease(spec.group ?? '', spec.version) ? 'onstart' : 'true', spec };
}

export function newService(name: string, { management, spec }: WantedService): KubernetesObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, labels: { [automanagedLabel]: management } },
    spec: { ...spec },
  };
}
