import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../../../test/cpu-time.ts';
import type { FieldErrors } from '../../../api/field-error.ts';
import { allOf } from '../../../api/findings.ts';
import { applyAppArmorAnnotations } from '../../core/pod/preparation.ts';
import { labels } from '../rules/rules.ts';
import { podAnnotationChanges, podAnnotations } from './annotations.ts';

const huge = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, '']));
const pod = { metadata: { annotations: huge }, spec: { containers: [{ name: 'a', image: 'a' }] } };

function shortestMs(work: () => unknown): number {
  return Math.min(cpuTimeMs(work), cpuTimeMs(work), cpuTimeMs(work));
}

function first(findings: FieldErrors): unknown {
  for (const finding of findings) return finding;
  return undefined;
}

const listedMs = shortestMs(() => Object.keys(huge));

/** Steps of checks between pauses, in the time that enumerating the keys takes. */
it.each([
  ['AppArmor annotations are looked up', () => applyAppArmorAnnotations(pod), 0.5],
  ['annotations of pods are walked once', () => first(podAnnotations(huge, pod.spec, 'a')), 2],
  ['so are those of an update', () => first(podAnnotationChanges(huge, huge, 'a')), 2],
  ['and labels', () => first(labels(huge, 'a')), 2],
])('%s', (_, work, times) => {
  expect(shortestMs(work)).toBeLessThan(times * listedMs);
});

it('profiles are found in all annotations', () => {
  const seccomp = { 'container.seccomp.security.alpha.kubernetes.io/a': 'x' };
  const appArmor = { 'container.apparmor.security.beta.kubernetes.io/b': 'x' };
  const found = allOf(podAnnotations({ ...appArmor, ...seccomp }, pod.spec, 'a'));
  expect(found.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('must be a valid seccomp profile'),
    expect.stringContaining('container not found'),
    expect.stringContaining('invalid AppArmor profile name'),
  ]);
});
