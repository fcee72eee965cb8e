import {
  allowPrivilegeEscalation,
  capabilitiesBaseline,
  capabilitiesRestricted,
  hostPorts,
  privileged,
  probeHosts,
  procMount,
} from './container-checks.ts';
import {
  hostNamespaces,
  hostPathVolumes,
  runAsNonRoot,
  runAsUser,
  sysctls,
  volumeTypes,
  windowsHostProcess,
} from './pod-checks.ts';
import {
  appArmorProfile,
  seccompAnnotations,
  seccompBaseline,
  seccompRestricted,
  seLinuxOptions,
} from './profile-checks.ts';
import { hasOwnUsers, isWindows, type EvaluatedPod, type PodCheck, unless, type Violation } from './violation.ts';

/** One rule of the Pod Security Standards, with its versions by release. */
interface VersionedCheck {
  readonly name: string;
  readonly versions: readonly {
    /** Minor release: 25 is 1.25. */
    readonly since: number;
    readonly check: PodCheck;
  }[];
  /** The weaker check that this one replaces from its first version on. */
  readonly replaces?: string;
}

const safeSysctls = {
  0: [
    'kernel.shm_rmid_forced',
    'net.ipv4.ip_local_port_range',
    'net.ipv4.tcp_syncookies',
    'net.ipv4.ping_group_range',
    'net.ipv4.ip_unprivileged_port_start',
  ],
  27: ['net.ipv4.ip_local_reserved_ports'],
  29: [
    'net.ipv4.tcp_keepalive_time',
    'net.ipv4.tcp_fin_timeout',
    'net.ipv4.tcp_keepalive_intvl',
    'net.ipv4.tcp_keepalive_probes',
  ],
  32: ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'],
  37: ['net.ipv4.tcp_slow_start_after_idle', 'net.ipv4.tcp_notsent_lowat'],
} as const;

const sysctlVersions = ([0, 27, 29, 32, 37] as const).map((since, index, all) => ({
  since,
  check: sysctls(all.slice(0, index + 1).flatMap((release) => safeSysctls[release])),
}));

const seLinuxTypes = ['container_t', 'container_init_t', 'container_kvm_t'];

/** In the order in which violations are reported: by name. */
const baseline: readonly VersionedCheck[] = [
  { name: 'appArmorProfile', versions: [{ since: 0, check: appArmorProfile }] },
  { name: 'capabilities_baseline', versions: [{ since: 0, check: capabilitiesBaseline }] },
  { name: 'hostNamespaces', versions: [{ since: 0, check: hostNamespaces }] },
  { name: 'hostPathVolumes', versions: [{ since: 0, check: hostPathVolumes }] },
  { name: 'hostPorts', versions: [{ since: 0, check: hostPorts }] },
  { name: 'hostProbesAndHostLifecycle', versions: [{ since: 34, check: probeHosts }] },
  { name: 'privileged', versions: [{ since: 0, check: privileged }] },
  {
    name: 'procMount',
    versions: [
      { since: 0, check: procMount },
      { since: 35, check: unless(hasOwnUsers, procMount) },
    ],
  },
  {
    name: 'seLinuxOptions',
    versions: [
      { since: 0, check: seLinuxOptions(seLinuxTypes) },
      { since: 31, check: seLinuxOptions([...seLinuxTypes, 'container_engine_t']) },
    ],
  },
  {
    name: 'seccompProfile_baseline',
    versions: [
      { since: 0, check: seccompAnnotations },
      { since: 19, check: seccompBaseline },
    ],
  },
  { name: 'sysctls', versions: sysctlVersions },
  { name: 'windowsHostProcess', versions: [{ since: 0, check: windowsHostProcess }] },
];

/** The additional checks of `restricted`, in the same order. */
const restricted: readonly VersionedCheck[] = [
  {
    name: 'allowPrivilegeEscalation',
    versions: [
      { since: 8, check: allowPrivilegeEscalation },
      { since: 25, check: unless(isWindows, allowPrivilegeEscalation) },
    ],
  },
  {
    name: 'capabilities_restricted',
    versions: [
      { since: 22, check: capabilitiesRestricted },
      { since: 25, check: unless(isWindows, capabilitiesRestricted) },
    ],
    replaces: 'capabilities_baseline',
  },
  { name: 'procMount_restricted', versions: [{ since: 35, check: procMount }], replaces: 'procMount' },
  { name: 'restrictedVolumes', versions: [{ since: 0, check: volumeTypes }], replaces: 'hostPathVolumes' },
  {
    name: 'runAsNonRoot',
    versions: [
      { since: 0, check: runAsNonRoot },
      { since: 35, check: unless(hasOwnUsers, runAsNonRoot) },
    ],
  },
  {
    name: 'runAsUser',
    versions: [
      { since: 23, check: runAsUser },
      { since: 35, check: unless(hasOwnUsers, runAsUser) },
    ],
  },
  {
    name: 'seccompProfile_restricted',
    versions: [
      { since: 19, check: seccompRestricted },
      { since: 25, check: unless(isWindows, seccompRestricted) },
    ],
    replaces: 'seccompProfile_baseline',
  },
];

/** Violations of a level by a pod, as of a minor release. */
export function violationsOf(
  pod: EvaluatedPod,
  level: 'privileged' | 'baseline' | 'restricted',
  minor: number,
): readonly Violation[] {
  if (level === 'privileged') return [];
  const stricter = level === 'restricted' ? restricted.filter((check) => checkAt(check, minor) !== undefined) : [];
  const replaced = new Set(stricter.map(({ replaces }) => replaces));
  const violations: Violation[] = [];
  for (const check of [...baseline.filter(({ name }) => !replaced.has(name)), ...stricter]) {
    const violation = checkAt(check, minor)?.(pod);
    if (violation !== undefined) violations.push(violation);
  }
  return violations;
}

function checkAt({ versions }: VersionedCheck, minor: number): PodCheck | undefined {
  return versions.findLast(({ since }) => since <= minor)?.check;
}
