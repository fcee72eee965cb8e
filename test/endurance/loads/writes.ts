import type { Random } from '../../robustness/random.ts';
import { Asker, type Load } from '../load.ts';

const names = 400;
const kinds = ['configmaps', 'secrets', 'configmaps', 'services'] as const;

/** Others change the same objects. */
const codes = [200, 201, 404, 409];

/** Creates, updates, patches, applies, deletes, gets and lists a fixed number of names. */
export const writes: Load = {
  name: 'writes',
  does: 'create, update, patch, apply, delete, get and list 1,200 names of ConfigMaps, Secrets and Services',
  everyMs: 150,
  users: 4,
  async start({ server, random }) {
    const asker = await Asker.connect(server);
    return {
      async step() {
        const plural = random.pick(kinds);
        const list = `/api/v1/namespaces/default/${plural}`;
        const name = `write-${random.integer(0, names)}`;
        await requests[random.weighted(weights)](asker, { list, name, body: objectOf(plural, name, random) });
      },
      [Symbol.asyncDispose]: async () => asker[Symbol.dispose](),
    };
  },
};

interface Written {
  readonly list: string;
  readonly name: string;
  readonly body: object;
}

const weights = { create: 4, update: 3, patch: 3, apply: 3, delete: 2, get: 3, list: 1 };

const requests = {
  create: (asker, { list, body }) => asker.ask('POST', list, { body, codes }),
  update: (asker, { list, name, body }) => asker.ask('PUT', `${list}/${name}`, { body, codes }),
  patch: (asker, { list, name }) => {
    const body = { metadata: { annotations: { patched: String(performance.now()) } } };
    return asker.ask('PATCH', `${list}/${name}`, { body, contentType: 'application/merge-patch+json', codes });
  },
  apply: (asker, { list, name, body }) => {
    const path = `${list}/${name}?fieldManager=endurance&force=true`;
    return asker.ask('PATCH', path, { body, contentType: 'application/apply-patch+yaml', codes });
  },
  delete: (asker, { list, name }) => asker.ask('DELETE', `${list}/${name}`, { codes }),
  get: (asker, { list, name }) => asker.ask('GET', `${list}/${name}`, { codes }),
  list: (asker, { list }) => asker.ask('GET', `${list}?limit=100`, { codes }),
} satisfies Record<keyof typeof weights, (asker: Asker, written: Written) => Promise<unknown>>;

function objectOf(plural: (typeof kinds)[number], name: string, random: Random): object {
  const text = 'x'.repeat(random.integer(0, 4_000));
  const metadata = { name, labels: { app: `app-${random.integer(0, 10)}` } };
  if (plural === 'services') {
    const ports = [{ name: 'http', port: 80 }];
    return { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: 'None', selector: { app: 'a' }, ports } };
  }
  const kind = plural === 'secrets' ? 'Secret' : 'ConfigMap';
  return { apiVersion: 'v1', kind, metadata, [kind === 'Secret' ? 'stringData' : 'data']: { text } };
}
