import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverConfigFor } from './flags.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { skipWithoutReference, startReference } from '../reference-server.ts';
import { startTestServer } from '../server-fixture.ts';
import { nameIn, ways } from './ask-who.ts';
import { joiningRows, makeJoiningSecrets } from './secret-rows.ts';
import { authorities, certificateRows, proxyRows } from './certificate-rows.ts';
import { chainRows, trusted } from './chain-rows.ts';

const opened = new AsyncDisposableStack();
const servers: { [name: string]: string } = {};
const withReference = !skipWithoutReference();

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-credentials-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const flags = [
    `--client-ca-file=${await file('users.crt', authorities.users.pem + trusted)}`,
    `--requestheader-client-ca-file=${await file('proxies.crt', authorities.proxies.pem)}`,
    '--requestheader-allowed-names=front,side',
    '--requestheader-username-headers=X-Remote-User,X-Other-User',
    '--requestheader-uid-headers=X-Remote-Uid',
    '--requestheader-group-headers=X-Remote-Group,X-Other-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--token-auth-file=${await file('tokens.csv', 'tok-tom,tom,t1\ntok-root,root,t2,"system:masters"\n')}`,
  ];
  flags.push('--enable-bootstrap-token-auth');
  const config = serverConfigFor([...flags, '--authorization-mode=RBAC']);
  const ours = opened.use(await startTestServer({}, { inMemory: true }, { config: { ...config, controllers: [] } }));
  servers['binnacle'] = ours.url;
  if (!withReference) return;
  const etcd = opened.use(await EtcdProcess.start());
  servers['kube-apiserver'] = opened.use(await startReference(etcd.url, flags)).url;
}, 120_000);

beforeAll(async () => {
  for (const url of Object.values(servers)) await makeJoiningSecrets(url);
});

afterAll(() => opened.disposeAsync());

const names = ['binnacle', ...(withReference ? ['kube-apiserver'] : [])];

describe.each(names)('credentials of %s', (server) => {
  describe.each(Object.entries(ways))('%s', (way, ask) => {
    test.concurrent.each([...certificateRows, ...chainRows, ...proxyRows, ...joiningRows])(
      '$name',
      async ({ said, ...showing }) => {
        const heard = await ask(servers[server] ?? '', showing);
        expect(heard).toBe(way === 'WebSocket' ? nameIn(said) : said);
      },
    );
  });
});
