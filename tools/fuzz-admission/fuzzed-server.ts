import { configDefaults } from '../../src/server/config.ts';
import { asAlone, startTestServer, type TestServer } from '../../test/server-fixture.ts';
import type { FuzzedConfiguration } from './configurations.ts';

/** Binnacle with the plugins of a configuration, and as few controllers as kube-apiserver alone. */
export function startFuzzedServer({ enabled, configFile }: FuzzedConfiguration): Promise<TestServer> {
  const admission = {
    ...configDefaults.admission,
    enablePlugins: enabled,
    disablePlugins: enabled.includes('ServiceAccount') ? [] : ['ServiceAccount'],
    ...(configFile === undefined ? {} : { configFile }),
  };
  const authorization = { ...configDefaults.authorization, modes: ['Node', 'RBAC'] };
  const api = { ...configDefaults.api, allowPrivileged: true };
  return startTestServer({}, {}, { config: { ...asAlone, admission, authorization, api } });
}
