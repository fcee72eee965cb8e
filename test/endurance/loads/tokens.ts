import { Asker, type Load } from '../load.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** Every account has a new name, every token a new text. */
export const tokens: Load = {
  name: 'tokens',
  does: 'create an account and a binding, request tokens, use them on a new connection and in reviews of tokens and access, beside tokens that are invalid, and delete the account',
  everyMs: 1_500,
  async start({ server, random }) {
    const asker = await Asker.connect(server);
    // With a token it is read.
    await asker.until('/api/v1/namespaces/default/configmaps', 'kube-root-ca.crt', (found) => found !== undefined);
    let count = 0;
    return {
      async step() {
        count += 1;
        const name = `account-${count}`;
        await asker.create(accounts, { metadata: { name } });
        await asker.create(`${rbac}/namespaces/default/rolebindings`, {
          metadata: { name },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
          subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
        });
        for (let at = 0; at < 3; at += 1) await useToken(asker, name, random.integer(600, 4_000));
        await asker.delete(`${rbac}/namespaces/default/rolebindings/${name}`);
        await asker.delete(`${accounts}/${name}`);
      },
      [Symbol.asyncDispose]: async () => asker[Symbol.dispose](),
    };
  },
};

async function useToken(asker: Asker, name: string, expirationSeconds: number): Promise<void> {
  const { body } = await asker.create(`${accounts}/${name}/token`, { spec: { expirationSeconds } });
  const { token } = body['status'] as { token: string };
  await asker.create('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
  await asker.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    spec: { user: `system:serviceaccount:default:${name}`, resourceAttributes: { verb: 'get', resource: 'secrets' } },
  });
  // Without the certificate of the administrator.
  using other = await asker.asNobody();
  const configMap = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt';
  await other.ask('GET', configMap, { headers: { authorization: `Bearer ${token}` }, codes: [200] });
  const wrong = { headers: { authorization: `Bearer ${token}x` }, codes: [401] };
  await other.ask('GET', configMap, wrong);
}
