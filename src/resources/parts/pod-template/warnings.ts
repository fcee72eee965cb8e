import { joined } from '../../../api/errors/findings.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import type {
  Affinity,
  HostAlias,
  LocalObjectReference,
  PodSpec,
  PodTemplateSpec,
  Volume,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { appArmorProfileOf, containersOf, type PlacedContainer } from './container-security.ts';
import { ipWarnings } from '../addresses/ip-texts.ts';
import { fractionalByteWarnings } from '../amounts/fractional-bytes.ts';
import { repetitions } from '../rules/repetitions.ts';
import { sameValue } from '../rules/same-value.ts';
import { nodeLabelWarnings, nodeSelectorWarnings, nodeTermWarnings } from '../selectors/node-labels.ts';
import { claimWarnings } from '../volume-claim/warnings.ts';
import { annotationWarnings, type DeprecatedAnnotation } from '../warnings/annotations.ts';
import { perItem, type Warnings } from '../warnings/per-item.ts';
import { containerWarnings, portWarnings } from './container-warnings.ts';
import { endedVolumeWarnings } from './ended-volumes.ts';
import { overlappingPathWarnings } from './overlapping-paths.ts';

const deprecatedAnnotations: readonly DeprecatedAnnotation[] = [
  {
    key: 'scheduler.alpha.kubernetes.io/critical-pod',
    text: 'non-functional in v1.16+; use the "priorityClassName" field instead',
  },
  { key: 'security.alpha.kubernetes.io/sysctls', text: 'non-functional in v1.11+; use the "sysctls" field instead' },
  {
    key: 'security.alpha.kubernetes.io/unsafe-sysctls',
    text: 'non-functional in v1.11+; use the "sysctls" field instead',
  },
];

const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/';
const containerAppArmor = 'container.apparmor.security.beta.kubernetes.io/';
const appArmorText = 'deprecated since v1.30; use the "appArmorProfile" field instead';
const seccompText = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** Annotations of pods that are replaced by a field. */
const replacedAnnotations: readonly DeprecatedAnnotation[] = [
  { key: 'seccomp.security.alpha.kubernetes.io/pod', text: seccompText },
];

const negativeGrace = 'must be >= 0; negative values are invalid and will be treated as 1';

/** Settings that are valid but probably not intended. `prefix` is the path of a template, empty for a pod. */
export function podWarnings(prefix: string, { spec = {}, metadata = {} }: PodTemplateSpec): Warnings {
  const at = prefix === '' ? '' : `${prefix}.`;
  const path = `${at}spec`;
  const annotationsPath = `${at}metadata.annotations`;
  const { annotations } = metadata;
  const { nodeSelector, affinity, volumes = [], hostAliases, imagePullSecrets, overhead, securityContext } = spec;
  const containers = containersOf(spec, path);
  const profiles: ProfileScope = { path: annotationsPath, template: prefix !== '', spec, metadata };
  return joined(
    nodeSelector ? nodeSelectorWarnings((label) => `${path}.nodeSelector[${label}]`, nodeSelector) : [],
    affinity ? nodeAffinityWarnings(`${path}.affinity.nodeAffinity`, affinity) : [],
    spreadWarnings(path, spec),
    annotationWarnings(annotationsPath, annotations, deprecatedAnnotations),
    perItem(volumes, (volume, index) => volumeWarnings(`${path}.volumes[${index}]`, volume)),
    overlappingPathWarnings(volumes),
    hostAliases ? repeatedAddressWarnings(path, hostAliases) : [],
    imagePullSecrets ? secretNameWarnings(path, imagePullSecrets) : [],
    overhead ? fractionalByteWarnings(`${path}.overhead`, overhead) : [],
    securityContext?.seccompProfile ? [] : annotationWarnings(annotationsPath, annotations, replacedAnnotations),
    perItem(containers, (placed) => joined(profileWarnings(placed, profiles), containerWarnings(placed))),
    portWarnings(containers),
    (spec.terminationGracePeriodSeconds ?? 0) < 0 ? [`${path}.terminationGracePeriodSeconds: ${negativeGrace}`] : [],
    affinity ? podAffinityWarnings(`${path}.affinity`, affinity) : [],
    perItem(spec.dnsConfig?.nameservers, (ip, index) => ipWarnings(`${path}.dnsConfig.nameservers[${index}]`, ip)),
    perItem(hostAliases, ({ ip }, index) => ipWarnings(`${path}.hostAliases[${index}].ip`, ip)),
  );
}

function* nodeAffinityWarnings(path: string, affinity: Affinity): Warnings {
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = affinity.nodeAffinity ?? {};
  const { preferredDuringSchedulingIgnoredDuringExecution: preferred } = affinity.nodeAffinity ?? {};
  const requiredPath = `${path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  const preferredPath = `${path}.preferredDuringSchedulingIgnoredDuringExecution`;
  yield* perItem(required?.nodeSelectorTerms, (term, index) =>
    nodeTermWarnings(`${requiredPath}[${index}]`, term, { checkValues: false }),
  );
  yield* perItem(preferred, ({ preference }, index) =>
    nodeTermWarnings(`${preferredPath}[${index}].preference`, preference, { checkValues: true }),
  );
}

function spreadWarnings(path: string, { topologySpreadConstraints }: PodSpec): Warnings {
  return perItem(topologySpreadConstraints, ({ topologyKey, labelSelector }, index) => {
    const constraint = `${path}.topologySpreadConstraints[${index}]`;
    return [
      ...nodeLabelWarnings(`${constraint}.topologyKey`, topologyKey),
      ...selectorWarnings(`${constraint}.labelSelector`, labelSelector),
    ];
  });
}

function selectorWarnings(path: string, selector: object | undefined): string[] {
  return selector === undefined ? [`${path}: a null labelSelector results in matching no pod`] : [];
}

function volumeWarnings(path: string, volume: Volume): string[] {
  const ended = endedVolumeWarnings(path, volume);
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claim === undefined) return ended;
  return [...ended, ...claimWarnings(`${path}.ephemeral.volumeClaimTemplate.spec`, claim)];
}

function repeatedAddressWarnings(path: string, hostAliases: readonly HostAlias[]): Warnings {
  const isRepeated = repetitions();
  return perItem(hostAliases, ({ ip = '' }, index) =>
    isRepeated(ip) ? [`${path}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`] : [],
  );
}

function* secretNameWarnings(path: string, imagePullSecrets: readonly LocalObjectReference[]): Warnings {
  const isRepeated = repetitions();
  yield* perItem(imagePullSecrets, ({ name = '' }, index) =>
    isRepeated(name) ? [`${path}.imagePullSecrets[${index}].name: duplicate name ${goQuote(name)}`] : [],
  );
  yield* perItem(imagePullSecrets, ({ name = '' }, index) =>
    name === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
  );
}

interface ProfileScope {
  /** Path of the annotations. */
  readonly path: string;
  readonly template: boolean;
  readonly spec: PodSpec;
  readonly metadata: NonNullable<PodTemplateSpec['metadata']>;
}

/** Annotations replaced by fields. Those of pods are converted to fields; templates keep them. */
function profileWarnings(
  { container: { name = '', securityContext } }: PlacedContainer,
  { path, template, spec, metadata: { annotations } }: ProfileScope,
): string[] {
  const seccomp = `${containerSeccomp}${name}`;
  const appArmor = `${containerAppArmor}${name}`;
  const warnings: string[] = [];
  if (securityContext?.seccompProfile === undefined && annotations?.[seccomp] !== undefined) {
    warnings.push(`${path}[${seccomp}]: ${seccompText}`);
  }
  const annotation = template && securityContext?.appArmorProfile === undefined ? annotations?.[appArmor] : undefined;
  if (annotation === undefined) return warnings;
  const profile = appArmorProfileOf(annotation);
  const ofPod = spec.securityContext?.appArmorProfile;
  const saidByPod = ofPod !== undefined && profile !== undefined && sameValue(ofPod, profile);
  if (!saidByPod) warnings.push(`${path}[${appArmor}]: ${appArmorText}`);
  return warnings;
}

function* podAffinityWarnings(path: string, affinity: Affinity): Warnings {
  for (const field of ['podAffinity', 'podAntiAffinity'] as const) {
    const { requiredDuringSchedulingIgnoredDuringExecution: required } = affinity[field] ?? {};
    const { preferredDuringSchedulingIgnoredDuringExecution: preferred } = affinity[field] ?? {};
    const requiredPath = `${path}.${field}.requiredDuringSchedulingIgnoredDuringExecution`;
    const preferredPath = `${path}.${field}.preferredDuringSchedulingIgnoredDuringExecution`;
    yield* perItem(required, ({ labelSelector }, index) =>
      selectorWarnings(`${requiredPath}[${index}].labelSelector`, labelSelector),
    );
    yield* perItem(preferred, ({ podAffinityTerm }, index) =>
      selectorWarnings(`${preferredPath}[${index}].podAffinityTerm.labelSelector`, podAffinityTerm?.labelSelector),
    );
  }
}
