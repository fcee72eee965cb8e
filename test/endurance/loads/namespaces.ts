import { Asker, type Load } from '../load.ts';

/** Every namespace has a new name. */
export const namespaces: Load = {
  name: 'namespaces',
  does: 'create a namespace, wait for its account, fill it with pods, ConfigMaps, Secrets, a quota, a role and a Lease, list across namespaces, delete it and wait until it is gone',
  everyMs: 3_000,
  users: 2,
  async start({ server, random }) {
    const asker = await Asker.connect(server);
    const own = random.integer(0, 1_000_000).toString(36);
    let count = 0;
    return {
      async step() {
        count += 1;
        const name = `ns-${own}-${count}`;
        await asker.create('/api/v1/namespaces', { metadata: { name } });
        await asker.until(`/api/v1/namespaces/${name}/serviceaccounts`, 'default', (found) => found !== undefined);
        for (const [path, body] of contents(name)) await asker.create(path, body);
        await asker.ask('GET', '/api/v1/pods?limit=50', {});
        await asker.delete(`/api/v1/namespaces/${name}`);
        await asker.until('/api/v1/namespaces', name, (found) => found === undefined);
      },
      [Symbol.asyncDispose]: async () => asker[Symbol.dispose](),
    };
  },
};

function* contents(namespace: string): Generator<readonly [path: string, body: object]> {
  const core = `/api/v1/namespaces/${namespace}`;
  yield [`${core}/resourcequotas`, { metadata: { name: 'quota' }, spec: { hard: { pods: '10', secrets: '10' } } }];
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  yield [`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`, { metadata: { name: 'role' }, rules }];
  yield [`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, { metadata: { name: 'lease' }, spec: {} }];
  for (let at = 0; at < 5; at += 1) {
    const metadata = { name: `object-${at}` };
    yield [`${core}/configmaps`, { metadata, data: { a: 'x'.repeat(1_000) } }];
    yield [`${core}/secrets`, { metadata, stringData: { a: 'x'.repeat(1_000) } }];
    yield [`${core}/pods`, { metadata, spec: { containers: [{ name: 'a', image: 'a' }] } }];
  }
}
