import { expect, test } from 'vitest';
import { openEmbeddedStorage } from '../../storage/embedded/engine.ts';
import { type Lane, PassOn } from '../request/lanes.ts';
import type { RequestContext } from '../request/request-context.ts';
import { largeRequestsStage } from './large-requests.ts';

const lane: Lane = { handOver: () => undefined };
const stage = largeRequestsStage({ lanes: { free: () => lane }, connects: new Set() });

await using storage = await openEmbeddedStorage({ dataDir: undefined });
for (const [key, bytes] of [
  ['large/a', 70_000],
  ['small/a', 60_000],
  ['small/b', 60_000],
] as const) {
  await storage.put({ key: `/registry/things/${key}`, value: Buffer.alloc(bytes), expectedModRevision: 0 });
}
const store = { storage, keyPrefix: '/registry/things/', resource: { namespaced: true } };

async function isPassedOn(method: string, accept: string, info: Partial<RequestContext['info']>): Promise<boolean> {
  // All that the stage looks at.
  const context = {
    exchange: { method, hasBody: false, header: (name: string) => (name === 'accept' ? accept : undefined) },
    info: { isResourceRequest: true, group: '', version: 'v1', resource: 'things', subresource: '', name: '', ...info },
    kinds: { scopeOf: () => ({ store }) },
  } as unknown as RequestContext;
  try {
    await stage.run?.(context);
    return false;
  } catch (error) {
    if (!(error instanceof PassOn)) throw error;
    return true;
  }
}

const json = 'application/json';
const yaml = 'application/yaml';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

test.each([
  ['GET', yaml, { verb: 'list', namespace: 'large' }, true],
  ['GET', table, { verb: 'list', namespace: '' }, true],
  ['GET', json, { verb: 'list', namespace: 'large' }, false],
  ['GET', yaml, { verb: 'list', namespace: 'small' }, false],
  ['GET', yaml, { verb: 'watch', namespace: 'large' }, false],
  ['GET', yaml, { verb: 'get', namespace: 'large', name: 'a' }, true],
  ['GET', yaml, { verb: 'get', namespace: 'small', name: 'a' }, false],
  ['DELETE', json, { verb: 'deletecollection', namespace: 'large' }, true],
  ['DELETE', json, { verb: 'deletecollection', namespace: 'small' }, false],
  ['POST', json, { verb: 'create', namespace: 'large' }, false],
])('%s, %s, %o: %s', async (method, accept, info, expected) => {
  expect(await isPassedOn(method, accept, info)).toBe(expected);
});
