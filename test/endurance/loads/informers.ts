import { setTimeout as sleep } from 'node:timers/promises';
import { Asker, type Load } from '../load.ts';

const lists = ['configmaps', 'secrets', 'services', 'namespaces', 'serviceaccounts'].map((name) => `/api/v1/${name}`);
lists.push(
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
);

/** As a controller does that is started again: a new connection, all of a list, then its changes for a while. */
export const informers: Load = {
  name: 'informers',
  does: 'connect, list in pages or as a stream of initial events, watch for up to 40 s, then close the watch, its connection, or wait for its timeout, and begin anew',
  everyMs: 1_000,
  users: 12,
  async start({ server, random, signal }) {
    return {
      async step() {
        using asker = await Asker.connect(server);
        const path = random.pick(lists);
        const watchMs = random.integer(500, 40_000);
        const version = random.chance(0.5) ? undefined : await listed(asker, path);
        const start = version === undefined ? streamed : `&resourceVersion=${version}`;
        const timeout = random.chance(0.3) ? `&timeoutSeconds=${Math.ceil(watchMs / 1000)}` : '';
        const watch = asker.client.watch(`${path}?watch=1&allowWatchBookmarks=true${start}${timeout}`, signal);
        const ended = timeout === '' ? sleep(watchMs, undefined, { signal }) : new Promise<void>(() => undefined);
        const reading = (async () => {
          for await (const { type, object } of watch) if (type === 'ERROR') throw new Error(JSON.stringify(object));
        })();
        // What ends because the connection does.
        reading.catch(() => undefined);
        await Promise.race([ended, reading]);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
};

const streamed = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

/** The version of a whole list. */
async function listed(asker: Asker, path: string): Promise<string> {
  let token = '';
  for (;;) {
    const { body } = await asker.ask('GET', `${path}?limit=100${token}`, {});
    const { continue: next = '', resourceVersion } = body['metadata'] as { continue?: string; resourceVersion: string };
    if (next === '') return resourceVersion;
    token = `&continue=${next}`;
  }
}
