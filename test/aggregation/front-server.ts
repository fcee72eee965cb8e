import { configDefaults } from '../../src/server/config.ts';
import { asAlone, startTestServer, type TestServer } from '../server-fixture.ts';

/** A server that decides by RBAC, and names users to others by a certificate of its own. */
export function startFront(): Promise<TestServer> {
  const authorization = { ...configDefaults.authorization, modes: ['RBAC'] } as const;
  const controllers = [...(asAlone.controllers ?? []), 'garbage-collector-controller'];
  return startTestServer({}, {}, { config: { ...asAlone, authorization, controllers } });
}
