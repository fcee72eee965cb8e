import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/api/time/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { configDefaults } from '../../src/server/config.ts';
import { comparedControllers, startControllerManager } from '../../test/controllers/controller-manager.ts';
import { EtcdProcess } from '../../test/etcd-process.ts';
import { startReference } from '../../test/reference-server.ts';
import { startTestServer } from '../../test/server-fixture.ts';

export interface Address {
  readonly url: string;
  readonly kubeconfigPath: string;
}

export interface Started extends AsyncDisposable {
  readonly server: Address;
}

const ranges = ['10.0.0.0/16', 'fd00:10::/112'];

/** kube-apiserver with kube-controller-manager. */
export async function startReferenceCluster(): Promise<Started> {
  await using opened = new AsyncDisposableStack();
  const etcd = opened.use(await EtcdProcess.start());
  const server = opened.use(
    await startReference(etcd.url, ['--allow-privileged', `--service-cluster-ip-range=${ranges.join(',')}`]),
  );
  opened.use(
    startControllerManager(server, { controllers: [...comparedControllers, 'resourcequota-controller'], flags: [] }),
  );
  const running = opened.move();
  return { server, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Binnacle with all controllers and an authority that signs. */
export async function startOwnCluster(): Promise<Started> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-authority-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await openCertificateStore({ folder, serverNames: { dnsNames: [], ipAddresses: [] }, clock: systemClock });
  const all = { certFile: join(folder, 'ca.crt'), keyFile: join(folder, 'ca.key') };
  const { control } = configDefaults;
  const config = { controllers: ['*'], control: { ...control, signing: { ...control.signing, all } } };
  const server = opened.use(
    await startTestServer({ serviceClusterIpRanges: ranges, allowPrivileged: true }, {}, { config }),
  );
  const running = opened.move();
  return { server, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
