import { goQuote } from '../../../api/go/go-quote.ts';
import type { Container, SecurityContext, SELinuxOptions } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import {
  blamed,
  containersOf,
  counted,
  distinct,
  type EvaluatedPod,
  namesOf,
  plural,
  type PodCheck,
  quoted,
  type Violation,
} from './violation.ts';

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompOfContainer = 'container.seccomp.security.alpha.kubernetes.io/';

type Profiled = 'appArmorProfile' | 'seccompProfile';

/** Type of a profile; undefined when absent. */
function profileType(field: Profiled, context: Pick<SecurityContext, Profiled> | undefined): string | undefined {
  const profile = context?.[field];
  return profile === undefined ? undefined : (profile.type ?? '');
}

function isBad(type: string | undefined): boolean {
  return type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
}

/** Containers that set a forbidden profile, and the profiles. */
function badProfiles(field: Profiled, pod: EvaluatedPod): { readonly setters: string; readonly types: string[] } {
  const ofPod = profileType(field, pod.spec?.securityContext);
  const typeOf = ({ securityContext }: Container): string | undefined => profileType(field, securityContext);
  const bad = namesOf(pod, (container) => isBad(typeOf(container)));
  const types = [ofPod, ...containersOf(pod.spec).map(typeOf)].filter(isBad).map((type) => type ?? '');
  return { setters: blamed(isBad(ofPod), bad), types: distinct(types) };
}

export function appArmorProfile(pod: EvaluatedPod): Violation | undefined {
  const { setters, types } = badProfiles('appArmorProfile', pod);
  const annotations = Object.entries(pod.metadata?.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !/^$|^runtime\/default$|^localhost\//.test(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort();
  const everybody = [
    ...(setters === '' ? [] : [setters]),
    ...(annotations.length === 0 ? [] : [plural('annotation', annotations)]),
  ].join(' and ');
  if (everybody === '') return undefined;
  const values = [...types, ...annotations];
  return {
    reason: plural('forbidden AppArmor profile', values),
    detail: `${everybody} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

/** The annotations that preceded the fields. */
export function seccompAnnotations({ metadata, spec }: EvaluatedPod): Violation | undefined {
  const keys = [seccompOfPod, ...containersOf(spec).map(({ name = '' }) => `${seccompOfContainer}${name}`)];
  const bad = distinct(
    keys.flatMap((key) => {
      const value = metadata?.annotations?.[key];
      const allowed = value === undefined || /^(runtime|docker)\/default$|^localhost\//.test(value);
      return allowed ? [] : [`${key}=${goQuote(value)}`];
    }),
  );
  if (bad.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', bad)} ${bad.join(', ')}` };
}

export function seccompBaseline(pod: EvaluatedPod): Violation | undefined {
  const { setters, types } = badProfiles('seccompProfile', pod);
  if (setters === '') return undefined;
  const detail = `${setters} must not set securityContext.seccompProfile.type to ${quoted(types)}`;
  return { reason: 'seccompProfile', detail };
}

export function seccompRestricted(pod: EvaluatedPod): Violation | undefined {
  const bad = seccompBaseline(pod);
  if (bad !== undefined || pod.spec?.securityContext?.seccompProfile !== undefined) return bad;
  const without = namesOf(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (without.length === 0) return undefined;
  const must = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason: 'seccompProfile', detail: `pod or ${counted('container', without)} ${must}` };
}

/** `types`: the types that the release allows besides the empty one. */
export function seLinuxOptions(types: readonly string[]): PodCheck {
  const allowed = new Set(['', ...types]);
  const isBadOption = ({ type = '', user = '', role = '' }: SELinuxOptions = {}): boolean =>
    !allowed.has(type) || user !== '' || role !== '';
  return (pod) => {
    const ofPod = pod.spec?.securityContext?.seLinuxOptions;
    const bad = namesOf(pod, ({ securityContext }) => isBadOption(securityContext?.seLinuxOptions));
    const setters = blamed(isBadOption(ofPod), bad);
    if (setters === '') return undefined;
    const all = [ofPod, ...containersOf(pod.spec).map(({ securityContext }) => securityContext?.seLinuxOptions)];
    const badTypes = distinct(all.map((options) => options?.type ?? '').filter((type) => !allowed.has(type)));
    const details = [
      ...(badTypes.length === 0 ? [] : [counted('type', badTypes)]),
      ...(all.some((options) => (options?.user ?? '') !== '') ? ['user may not be set'] : []),
      ...(all.some((options) => (options?.role ?? '') !== '') ? ['role may not be set'] : []),
    ];
    const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${details.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };
}
