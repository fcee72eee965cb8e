import { configDefaults, type ServerConfig } from '../../src/server/config.ts';
import { onEtcd, startTestServer, type TestServer } from '../../test/server-fixture.ts';
import type { Pace } from './play.ts';

export const ownPace: Pace = { settleMs: 60, quietMs: 500 };

const { authentication, authorization } = configDefaults;

/** As the reference is started; without controllers, as it is compared without kube-controller-manager. */
const config: Partial<ServerConfig> = {
  controllers: [],
  authentication: {
    ...authentication,
    serviceAccounts: { ...authentication.serviceAccounts, issuers: ['https://kubernetes.default.svc'] },
  },
  authorization: { ...authorization, modes: ['Node', 'RBAC'] },
};

/** On the embedded store, unless there is an etcd. Scripts read old versions, also on machines that take long. */
export function startOwn(etcdUrl?: string): Promise<TestServer> {
  const store = etcdUrl === undefined ? {} : onEtcd(etcdUrl);
  return startTestServer({ allowPrivileged: true }, { ...store, compactionIntervalMs: 0 }, { config });
}
