import { expect, test } from 'vitest';
import type { Container, ServicePort } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { StoredPod } from '../pods.ts';
import { type NumberedPort, ServicePorts } from './service-ports.ts';

function pod(containers: readonly Container[], initContainers: readonly Container[] = []): StoredPod {
  const spec = { containers: [...containers], initContainers: [...initContainers] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
}

const container = (name: string, containerPort: number, protocol = 'TCP'): Container => ({
  name: 'a',
  ports: [{ name, containerPort, protocol }],
});

function numbers(ports: readonly NumberedPort[]): readonly string[] {
  return ports.map(({ port, number }) => `${port.name} ${number}`);
}

const ports: readonly ServicePort[] = [
  { name: 'plain', port: 1, targetPort: 8080, protocol: 'TCP' },
  { name: 'named', port: 2, targetPort: 'http', protocol: 'TCP' },
  { name: 'datagrams', port: 3, targetPort: 'http', protocol: 'UDP' },
];

test('named ports have the numbers of the first container with that name and protocol', () => {
  const onPods = new ServicePorts(ports, numbers);
  const on = (...containers: readonly Container[]) => onPods.of(pod(containers));
  expect(on(container('http', 80), container('http', 81))).toEqual(['plain 8080', 'named 80']);
  expect(on(container('http', 80, 'UDP'), container('http', 81))).toEqual(['plain 8080', 'named 81', 'datagrams 80']);
  expect(on(container('other', 80))).toEqual(['plain 8080']);
  const sidecar = { ...container('http', 82), restartPolicy: 'Always' };
  expect(onPods.of(pod([], [sidecar]))).toEqual(['plain 8080', 'named 82']);
  expect(onPods.of(pod([], [container('http', 82)]))).toEqual(['plain 8080']);
});

test('pods with the same numbers share what is made of them', () => {
  const onPods = new ServicePorts(ports, numbers);
  const [a, b] = [container('http', 80), container('http', 90, 'UDP')];
  expect(onPods.of(pod([a, b]))).toBe(onPods.of(pod([b, container('other', 1), a])));
});

test('very many different lists of ports are refused', () => {
  const many = Array.from({ length: 20_000 }, (_, port) => ({ port, targetPort: 'http', protocol: 'TCP' }));
  const onPods = new ServicePorts(many, numbers);
  const all = (): void => {
    for (let number = 1; number < 30; number += 1) onPods.of(pod([container('http', number)]));
  };
  expect(all).toThrow('too many different ports');
});
