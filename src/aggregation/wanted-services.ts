import { keptBy } from '../api/kept-by.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueVersion } from '../catalogue/catalogue-group.ts';
import { apiServices, nameOf } from './api-service.ts';

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
    if (group.name === apiServices.group) continue;
    for (const version of group.known()) {
      const service = wantedService(version);
      if (service !== undefined) wanted.set(nameOf(version.group, version.version), management(catalogue, service));
    }
  }
  return wanted;
});

const wantedService = keptBy(({ group, version, localPriority }: CatalogueVersion): WantedService['spec'] | undefined =>
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
