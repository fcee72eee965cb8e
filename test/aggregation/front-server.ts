import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/api/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { configDefaults } from '../../src/server/config.ts';
import { asAlone, startTestServer, type TestServer } from '../server-fixture.ts';

/** A server that names users to others, with the ConfigMap that lets them trust it. */
export async function startFront(folder: string): Promise<TestServer> {
  const { authority, admin } = await openCertificateStore({
    folder: join(folder, 'proxy-pki'),
    serverNames: { dnsNames: [], ipAddresses: [] },
    clock: systemClock,
  });
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const { authentication, authorization, aggregation } = configDefaults;
  return startTestServer(
    {},
    {},
    {
      config: {
        ...asAlone,
        authorization: { ...authorization, modes: ['RBAC'] },
        authentication: {
          ...authentication,
          requestHeader: {
            ...{ clientCaFile: await file('proxy-ca.crt', authority), allowedNames: [], uidHeaders: ['X-Remote-Uid'] },
            ...{ usernameHeaders: ['X-Remote-User'], groupHeaders: ['X-Remote-Group'] },
            extraHeaderPrefixes: ['X-Remote-Extra-'],
          },
        },
        aggregation: {
          ...aggregation,
          proxyClientCertFile: await file('proxy.crt', admin.certificate),
          proxyClientKeyFile: await file('proxy.key', admin.key),
        },
      },
    },
  );
}
