import { setTimeout as sleep } from 'node:timers/promises';
import {
  AuthenticationV1Api,
  BatchV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type V1Job,
} from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { startApiServer } from '../../src/embed/index.ts';

function clientOf({ kubeconfig }: { readonly kubeconfig: string }): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config;
}

const namespace = 'default';
const [hourMs, yearMs] = [3_600_000, 365 * 86_400_000];

function codeOf(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => 200,
    ({ code }: { readonly code?: unknown }) => code,
  );
}

test('objects are dated by the clock, and events and finished jobs end by it', async () => {
  await using server = await startApiServer();
  const config = clientOf(server);
  const [core, batch] = [config.makeApiClient(CoreV1Api), config.makeApiClient(BatchV1Api)];
  const involvedObject = { kind: 'Pod', name: 'a', namespace };
  await core.createNamespacedEvent({ namespace, body: { metadata: { name: 'e' }, involvedObject } as never });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } };
  const job: V1Job = { metadata: { name: 'j' }, spec: { ttlSecondsAfterFinished: 7_200, template } };
  const created = await batch.createNamespacedJob({ namespace, body: job });
  const now = new Date();
  const finished = (type: string) => ({ type, status: 'True', lastTransitionTime: now, lastProbeTime: now });
  const status = {
    startTime: now,
    completionTime: now,
    conditions: [finished('SuccessCriteriaMet'), finished('Complete')],
  };
  await batch.replaceNamespacedJobStatus({ namespace, name: 'j', body: { ...created, status } });

  server.clock.advance(hourMs / 2);
  expect(await codeOf(core.readNamespacedEvent({ namespace, name: 'e' }))).toBe(200);
  server.clock.advance(hourMs / 2 + 1_000);
  await expect.poll(() => codeOf(core.readNamespacedEvent({ namespace, name: 'e' }))).toBe(404);
  expect(await codeOf(batch.readNamespacedJob({ namespace, name: 'j' }))).toBe(200);
  server.clock.advance(hourMs + 1_000);
  await expect.poll(() => codeOf(batch.readNamespacedJob({ namespace, name: 'j' }))).toBe(404);

  const { metadata } = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'later' } } });
  const aheadMs = (metadata?.creationTimestamp?.getTime() ?? 0) - Date.now();
  expect(aheadMs).toBeGreaterThan(1.9 * hourMs);
  expect(Math.abs(server.clock.now() - Date.now() - 2 * hourMs)).toBeLessThan(60_000);
});

test('tokens and certificates of users end by the clock', async () => {
  await using server = await startApiServer({ users: { alice: { groups: ['system:masters'] } } });
  const core = clientOf(server).makeApiClient(CoreV1Api);
  const account = { namespace, name: 'default' };
  await expect.poll(() => codeOf(core.readNamespacedServiceAccount(account))).toBe(200);
  const body = { spec: { audiences: [], expirationSeconds: 3_600 } } as never;
  const { status } = await core.createNamespacedServiceAccountToken({ ...account, body });
  const isKnown = async (): Promise<boolean> => {
    const review = { spec: { token: status?.token ?? '' } };
    const reviewed = await clientOf(server).makeApiClient(AuthenticationV1Api).createTokenReview({ body: review });
    return reviewed.status?.authenticated === true;
  };
  expect(await isKnown()).toBe(true);
  server.clock.advance(2 * hourMs);
  expect(await isKnown()).toBe(false);
  const alice = clientOf(server.users.alice).makeApiClient(CoreV1Api);
  expect(await codeOf(alice.listNamespace())).toBe(200);
  server.clock.advance(3 * yearMs);
  expect(await codeOf(alice.listNamespace())).toBe(401);
});

test('Leases of the server are renewed when the clock has moved on', async () => {
  await using server = await startApiServer();
  const leases = clientOf(server).makeApiClient(CoordinationV1Api);
  const renewedMs = async (): Promise<number> => {
    const { items } = await leases.listNamespacedLease({ namespace: 'kube-system' });
    const found = items.find(({ metadata }) => metadata?.name?.startsWith('apiserver-'));
    return Date.parse(String(found?.spec?.renewTime ?? 0));
  };
  await expect.poll(renewedMs).toBeGreaterThan(0);
  server.clock.advance(2 * hourMs);
  await expect.poll(renewedMs).toBeGreaterThan(Date.now() + hourMs);
});

test('a clone has the time of its original, and a reset sets it back', async () => {
  await using original = await startApiServer();
  original.clock.advance(hourMs);
  await using clone = await original.clone();
  clone.clock.advance(hourMs);
  // Zero without a sign.
  const aheadHours = ({ clock }: typeof clone): number => Math.round((clock.now() - Date.now()) / hourMs) + 0;
  expect([aheadHours(original), aheadHours(clone)]).toEqual([1, 2]);
  await clone.reset();
  await original.reset();
  expect([aheadHours(original), aheadHours(clone)]).toEqual([0, 1]);
  expect(() => clone.clock.advance(-1)).toThrow(RangeError);
  await using threaded = await startApiServer({ threads: 2 });
  expect(() => threaded.clock.advance(1)).toThrow('only with one thread');
});

interface DatedRule {
  readonly spec: { readonly taint: { readonly timeAdded: string } };
}

test('taints of devices are dated by the clock', async () => {
  await using server = await startApiServer();
  server.clock.advance(yearMs);
  const rules = { group: 'resource.k8s.io', version: 'v1', plural: 'devicetaintrules' };
  const spec = { taint: { key: 'example.com/worn', effect: 'NoSchedule' } };
  const body = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceTaintRule', metadata: { name: 'worn' }, spec };
  const created = await clientOf(server)
    .makeApiClient(CustomObjectsApi)
    .createClusterCustomObject({ ...rules, body });
  expect(Date.parse((created as DatedRule).spec.taint.timeAdded) - Date.now()).toBeGreaterThan(yearMs / 2);
});

test('Leases of others end by the clock: controllers of the server take over from a controller manager', async () => {
  await using server = await startApiServer();
  const config = clientOf(server);
  const [core, leases] = [config.makeApiClient(CoreV1Api), config.makeApiClient(CoordinationV1Api)];
  const now = new Date().toISOString().replace('Z', '000Z') as never;
  const spec = { holderIdentity: 'other', leaseDurationSeconds: 3_600, acquireTime: now, renewTime: now };
  const body = { metadata: { name: 'kube-controller-manager' }, spec };
  await leases.createNamespacedLease({ namespace: 'kube-system', body });
  /** The code of a namespace that has been deleted: 404 while the namespace controller runs. */
  const codeOfDeleted = async (name: string): Promise<unknown> => {
    await core.createNamespace({ body: { metadata: { name } } });
    await core.deleteNamespace({ name });
    await sleep(500);
    return await codeOf(core.readNamespace({ name }));
  };
  // They stop when they have heard of the Lease.
  let held = 0;
  await expect.poll(() => codeOfDeleted(`held-${++held}`)).toBe(200);
  server.clock.advance(2 * hourMs);
  await expect.poll(() => codeOf(core.readNamespace({ name: `held-${held}` }))).toBe(404);
});
