import type { Access } from '../access/access.ts';
import { builtInKinds } from '../../catalogue/built-in-kinds.ts';
import { Catalogue } from '../../catalogue/catalogue.ts';
import { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { Resource } from '../../schema/resource.ts';
import type { ClusterPolicy } from '../../api/errors/field-error.ts';
import { policiesDisabledByGates } from '../../resources/disabled-policies.ts';
import { gatesByConfig, servedByConfig } from './served-by-config.ts';
import type { ApiConfig, ServerConfig } from '../config.ts';
import { servedName } from './served-name.ts';
import type { Wiring } from '../wiring.ts';
import type { KindEnvironment } from '../../resources/kind-environment.ts';

function policiesDisabledBy(api: ApiConfig): ReadonlySet<ClusterPolicy> {
  const disabledPolicies = policiesDisabledByGates(gatesByConfig(api));
  return api.allowPrivileged ? disabledPolicies.add('privileged') : disabledPolicies;
}

/** Throws a ConfigError. */
export function builtInCatalogue(
  { api, storage }: ServerConfig,
  wiring: Wiring,
  later: Pick<KindEnvironment, 'metric' | 'delayed'> &
    Pick<KindEnvironment['services'], 'registers'> & { readonly access: () => Access },
): LiveCatalogue {
  const { registers, access, ...more } = later;
  const behaviourOf = wiring.behaviour({
    services: {
      clusterIpRanges: api.serviceClusterIpRanges,
      nodePortRange: api.serviceNodePortRange,
      registers,
    },
    disabledPolicies: policiesDisabledBy(api),
    featureGates: gatesByConfig(api),
    release: api.emulatedVersion,
    escalation: () => access().escalation,
    stored: () => access().stored,
    resourceOfKind: (kind) => servedName(catalogue.current, kind),
    ...more,
  });
  const { eventTtlSeconds, watchCache } = storage;
  const pagesAnyVersion = ({ group, plural }: Resource): boolean =>
    !watchCache.enabled || (watchCache.sizes.get(group === '' ? plural : `${plural}.${group}`) ?? 1) <= 0;
  const add = builtInKinds({
    served: servedByConfig(api),
    behaviourOf,
    eventTtlSeconds,
    pagesAnyVersion,
    release: api.emulatedVersion,
  });
  const catalogue = new LiveCatalogue(Catalogue.empty.with({ add }));
  return catalogue;
}
