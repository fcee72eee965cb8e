import { childPath, forbiddenField, invalidField, keyPath, under } from '../../../api/errors/field-error.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { field, int64, struct, text as plainText } from '../../../schema/plain-schema.ts';
import { readInternalList } from '../rules/json-text.ts';
import { descendingPath } from '../rules/forms.ts';
import type { Errors } from '../rules/rules.ts';
import { containersOf } from './container-security.ts';
import { tolerations } from './scheduling.ts';

// Well-known annotations of pods and pod templates.

type Annotations = { readonly [key: string]: string };

const mirror = 'kubernetes.io/config.mirror';
const tolerationsKey = 'scheduler.alpha.kubernetes.io/tolerations';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainer = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmor = 'container.apparmor.security.beta.kubernetes.io/';

export function* podAnnotations(annotations: Annotations, spec: core.PodSpec, path: string): Errors {
  const mirrored = annotations[mirror];
  if (mirrored !== undefined && !spec.nodeName) {
    yield invalidField(keyPath(path, mirror), mirrored, 'must set spec.nodeName if mirror pod annotation is set');
  }
  yield* annotatedTolerations(annotations[tolerationsKey] ?? '', path);
  const cost = annotations[deletionCost];
  if (cost !== undefined && !isInt32(cost)) {
    const error = invalidField(keyPath(path, deletionCost), cost, 'must be a 32bit integer');
    yield* under('PodDeletionCost on', [error]);
  }
  const seccomp = annotations[seccompPod];
  if (seccomp !== undefined) yield* seccompName(seccomp, childPath(path, seccompPod));
  const profiles: string[] = [];
  for (const key of Object.keys(annotations)) {
    if (key.startsWith(seccompContainer)) yield* seccompName(annotations[key] ?? '', childPath(path, key));
    if (key.startsWith(appArmor)) profiles.push(key);
  }
  if (profiles.length === 0) return;
  const containers = new Set<string>();
  for (const { container } of containersOf(spec, 'spec')) containers.add(container.name ?? '');
  for (const key of profiles) {
    yield* appArmorName(key, annotations[key] ?? '', containers, path);
  }
}

/** Canonical integers: no plus sign, no leading zeros. */
function isInt32(text: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(text) && BigInt.asIntN(32, BigInt(text)) === BigInt(text);
}

function* annotatedTolerations(text: string, path: string): Errors {
  if (text === '') return;
  const read = readInternalList<core.Toleration>(text, internalToleration);
  if ('problem' in read) yield invalidField(path, tolerationsKey, read.problem);
  else yield* tolerations(read.value, childPath(path, tolerationsKey));
}

const internalToleration = struct(
  'Toleration',
  [
    field('Key', plainText),
    field('Operator', { ...plainText, goType: 'core.TolerationOperator' }),
    field('Value', plainText),
    field('Effect', { ...plainText, goType: 'core.TaintEffect' }),
    field('TolerationSeconds', int64, true),
  ],
  'core',
);

function* seccompName(name: string, path: string): Errors {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(name)) return;
  if (name.startsWith('localhost/')) yield* descendingPath(name.slice('localhost/'.length), path);
  else yield invalidField(path, name, 'must be a valid seccomp profile');
}

function* appArmorName(key: string, profile: string, containers: ReadonlySet<string>, path: string): Errors {
  const container = key.slice(appArmor.length);
  if (!containers.has(container)) yield invalidField(keyPath(path, key), container, 'container not found');
  if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) return;
  yield invalidField(keyPath(path, key), profile, `invalid AppArmor profile name: ${goQuote(profile)}`);
}

/** Changes to a pod's annotations that an update must not make. */
export function* podAnnotationChanges(annotations: Annotations, old: Annotations, path: string): Errors {
  for (const key of Object.keys(old)) {
    if (annotations[key] === old[key]) continue;
    if (key.startsWith(appArmor))
      yield forbiddenField(keyPath(path, key), 'may not remove or update AppArmor annotations');
    if (key === mirror) yield forbiddenField(keyPath(path, key), 'may not remove or update mirror pod annotation');
  }
  for (const key of Object.keys(annotations)) {
    if (Object.hasOwn(old, key)) continue;
    if (key.startsWith(appArmor)) yield forbiddenField(keyPath(path, key), 'may not add AppArmor annotations');
    if (key === mirror) yield forbiddenField(keyPath(path, key), 'may not add mirror pod annotation');
  }
}
