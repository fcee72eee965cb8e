import { expect, test } from 'vitest';
import { allOf } from '../../../api/errors/findings.ts';
import type { ContainerPort } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { portWarnings } from './container-warnings.ts';
import { overlappingPathWarnings } from './overlapping-paths.ts';

function overlapsOf(paths: readonly string[]): string[] {
  return allOf(overlappingPathWarnings([{ name: 'v', downwardAPI: { items: paths.map((path) => ({ path })) } }])).map(
    (text) => text.slice(text.indexOf('paths: ') + 'paths: '.length),
  );
}

test('a path overlaps with those at, above and below it, in order', () => {
  expect(overlapsOf(['a/b', 'a', 'ab', 'a/b/c/', 'a//b', 'a/b'])).toEqual([
    '"a" with "a/b"',
    '"a/b/c" with "a/b"',
    '"a/b/c" with "a"',
    '"a//b" with "a"',
    '"a/b" with "a/b"',
    '"a/b" with "a"',
    '"a/b" with "a/b/c"',
  ]);
  expect(overlapsOf(['', '', 'b'])).toEqual([]);
});

function portsOf(ports: readonly ContainerPort[]): string[] {
  return allOf(portWarnings([{ path: 'c', container: { ports: [...ports] } }]));
}

test('ports are compared with earlier ones that have something in common', () => {
  const port = { containerPort: 80, protocol: 'TCP' };
  expect(portsOf([port, port, { ...port, protocol: 'UDP' }])).toEqual([
    'c.ports[1]: duplicate port definition with c.ports[0]',
  ]);
  expect(portsOf([{ ...port, hostPort: 1 }, port, { ...port, hostPort: 2 }])).toEqual([
    'c.ports[1]: overlapping port definition with c.ports[0]',
    'c.ports[2]: overlapping port definition with c.ports[1]',
  ]);
  const [one, other] = [
    { ...port, hostPort: 1, hostIP: '1.1.1.1' },
    { ...port, hostPort: 1, hostIP: '2.2.2.2' },
  ];
  expect(portsOf([one, other, { ...port, hostPort: 1 }, one])).toEqual([
    'c.ports[2]: dangerously ambiguous port definition with c.ports[0]',
    'c.ports[2]: dangerously ambiguous port definition with c.ports[1]',
    'c.ports[3]: duplicate port definition with c.ports[0]',
    'c.ports[3]: dangerously ambiguous port definition with c.ports[2]',
  ]);
});
