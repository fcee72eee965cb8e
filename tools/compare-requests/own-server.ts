import { configDefaults, type ServerConfig } from '../../src/server/config.ts';
import { startTestServer, type TestServer } from '../../test/server-fixture.ts';
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

export function startOwn(): Promise<TestServer> {
  return startTestServer({ allowPrivileged: true }, {}, { config });
}
