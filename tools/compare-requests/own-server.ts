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

/** On the embedded store, unless there is an etcd. */
export function startOwn(etcdUrl?: string): Promise<TestServer> {
  return startTestServer({ allowPrivileged: true }, etcdUrl === undefined ? {} : onEtcd(etcdUrl), { config });
}
