import { expect, it } from 'vitest';
import { allOf } from '../../../api/errors/findings.ts';
import { podAnnotations } from './annotations.ts';

it('profiles are found in all annotations', () => {
  const seccomp = { 'container.seccomp.security.alpha.kubernetes.io/a': 'x' };
  const appArmor = { 'container.apparmor.security.beta.kubernetes.io/b': 'x' };
  const found = allOf(podAnnotations({ ...appArmor, ...seccomp }, { containers: [{ name: 'a', image: 'a' }] }, 'a'));
  expect(found.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('must be a valid seccomp profile'),
    expect.stringContaining('container not found'),
    expect.stringContaining('invalid AppArmor profile name'),
  ]);
});
