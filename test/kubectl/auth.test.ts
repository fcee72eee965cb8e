import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { Kubectl, skipWithoutKubectl } from './kubectl.ts';

const account = 'system:serviceaccount:office:writer';

/** As kubectl prints it, without the widths of columns. */
function rows(table: string): readonly string[] {
  const [, ...lines] = table.trimEnd().split('\n');
  return lines.map((line) => line.trim().replaceAll(/ {2,}/g, ' | ')).toSorted();
}

describe.skipIf(skipWithoutKubectl())('kubectl with RBAC', () => {
  const kubectl = new Kubectl('office');
  let server: TestServer;

  beforeAll(async () => {
    const authorization = { ...configDefaults.authorization, modes: ['Node', 'RBAC'] };
    server = await startTestServer({}, { inMemory: true }, { config: { authorization } });
    kubectl.server = server;
    await kubectl.run`create namespace office`;
    await kubectl.run`create serviceaccount writer`;
    await kubectl.run`create role notes --verb=get,list,create --resource=configmaps`;
    await kubectl.run`create rolebinding notes --role=notes --serviceaccount=office:writer`;
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('can-i --list tells all that an account may do', async () => {
    expect(rows(await kubectl.run`auth can-i --list --as=${account}`)).toEqual(
      [
        'selfsubjectreviews.authentication.k8s.io',
        'selfsubjectaccessreviews.authorization.k8s.io',
        'selfsubjectrulesreviews.authorization.k8s.io',
      ]
        .map((review) => `${review} | [] | [] | [create]`)
        .concat(
          'configmaps | [] | [] | [get list create]',
          'clustertrustbundles.certificates.k8s.io | [] | [] | [get list watch]',
          '/.well-known/openid-configuration/',
          '/.well-known/openid-configuration',
          '/api/*',
          '/api',
          '/apis/*',
          '/apis',
          '/healthz',
          '/healthz',
          '/livez',
          '/livez',
          '/openapi/*',
          '/openapi',
          '/openid/v1/jwks/',
          '/openid/v1/jwks',
          '/readyz',
          '/readyz',
          '/version/',
          '/version/',
          '/version',
          '/version',
        )
        .map((row) => (row.startsWith('/') ? `[${row}] | [] | [get]` : row))
        .toSorted(),
    );
  });

  test('can-i tells what an account may do, and fails when it may not', async () => {
    const asks = (verb: string, what: string) => kubectl.result`auth can-i ${verb} ${what} --as=${account}`;
    expect(await asks('list', 'configmaps')).toMatchObject({ code: 0, stdout: 'yes\n' });
    expect(await asks('delete', 'configmaps')).toMatchObject({ code: 1, stdout: 'no\n' });
    expect(await asks('get', '/api')).toMatchObject({ code: 0, stdout: 'yes\n' });
    expect(await asks('get', '/metrics')).toMatchObject({ code: 1, stdout: 'no\n' });
    expect(await kubectl.result`auth can-i create pods --subresource=exec --as=${account}`).toMatchObject({ code: 1 });
  });

  test('whoami tells whom one acts for', async () => {
    const me: unknown = JSON.parse(await kubectl.run`auth whoami -o json --as=ann --as-group=crew --as-uid=u1`);
    expect(me).toMatchObject({
      status: { userInfo: { username: 'ann', uid: 'u1', groups: ['crew', 'system:authenticated'] } },
    });
  });

  test('reconcile adds what is missing, makes bindings anew, and removes what is asked for', async () => {
    await kubectl.run`create rolebinding other --role=notes --user=ann`;
    const policy = fileURLToPath(new URL('testdata/policy.yaml', import.meta.url));
    const added = await kubectl.run`auth reconcile -f ${policy}`;
    expect(added.match(/^\S+ reconciled$/gm)).toEqual([
      'role.rbac.authorization.k8s.io/notes reconciled',
      'clusterrole.rbac.authorization.k8s.io/office-reader reconciled',
      'rolebinding.rbac.authorization.k8s.io/notes reconciled',
      'rolebinding.rbac.authorization.k8s.io/other reconciled',
    ]);
    const subjects = () => kubectl.run`get rolebinding notes -o jsonpath={.subjects[*].name}`;
    expect(await subjects()).toBe('writer ann');
    expect(await kubectl.run`get rolebinding other -o jsonpath={.roleRef.name}`).toBe('view');
    await kubectl.run`auth reconcile --remove-extra-subjects --remove-extra-permissions -f ${policy}`;
    expect(await subjects()).toBe('ann');
  });

  test('a created token is good for what the account may do', async () => {
    const token = (await kubectl.run`create token writer --duration=1h`).trim();
    const [, body = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({ sub: account });
    await kubectl.run`create rolebinding writer --role=notes --serviceaccount=office:writer`;
    // Without the administrator's certificate, which would win.
    const withToken = [
      '--kubeconfig=/dev/null',
      `--server=${server.url}`,
      '--insecure-skip-tls-verify',
      `--token=${token}`,
    ];
    expect(await kubectl.words(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}', ...withToken])).toBe(
      account,
    );
    await expect.poll(() => kubectl.words(['auth', 'can-i', 'list', 'configmaps', ...withToken])).toBe('yes\n');
    await expect(kubectl.words(['get', 'pods', ...withToken])).rejects.toThrow(
      `pods is forbidden: User "${account}" cannot list resource "pods" in API group "" in the namespace "office"`,
    );
    expect(await kubectl.fails`create token nobody`).toContain('serviceaccounts "nobody" not found');
    expect(await kubectl.fails`create token writer --as=ann`).toContain(
      'cannot create resource "serviceaccounts/token"',
    );
  });

  test('snapshots are for those who may read them', async () => {
    expect(await kubectl.fails`get --raw /binnacle/snapshot --as=${account}`).toContain(
      `User "${account}" cannot get path "/binnacle/snapshot"`,
    );
    await kubectl.run`create clusterrole snapshots --verb=get --non-resource-url=/binnacle/snapshot`;
    await kubectl.run`create clusterrolebinding snapshots --clusterrole=snapshots --serviceaccount=office:writer`;
    const reads = async (): Promise<number | null> =>
      (await kubectl.result`get --raw /binnacle/snapshot --as=${account}`).code;
    await expect.poll(reads, { timeout: 10_000 }).toBe(0);
    expect(await kubectl.result`auth can-i get /metrics --as=${account}`).toMatchObject({ code: 1 });
  });
});
