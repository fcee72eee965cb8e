import { expect, test } from 'vitest';
import type { Client } from '../../api/client/client.ts';
import { systemClock } from '../../api/time/clock.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { DanglingConditions } from './dangling-conditions.ts';

const schema = (name: string): KubernetesObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name },
  spec: { priorityLevelConfiguration: { name: 'none' } },
});

/** A client whose writes end when they are told to. */
function open() {
  const written: string[] = [];
  const release = Promise.withResolvers<void>();
  const client = {
    async apply({ name }: { readonly name: string }) {
      written.push(name);
      await release.promise;
    },
  } as unknown as Client; // it does nothing else
  const errors: unknown[] = [];
  const conditions = new DanglingConditions({ client, clock: systemClock, onError: (error) => errors.push(error) });
  return { conditions, written, release, errors };
}

test('a stop waits for what is being written, and nothing is written after it', async () => {
  const { conditions, written, release } = open();
  void conditions.update({ schemas: [schema('a')], levels: [] });
  void conditions.update({ schemas: [schema('b')], levels: [] });
  let isStopped = false;
  const stopped = conditions.stop().then(() => (isStopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  release.resolve();
  await stopped;
  await conditions.update({ schemas: [schema('c')], levels: [] });
  expect(written).toEqual(['a']);
});

test('a schema is written a few times a minute at most', async () => {
  const { conditions, written, release } = open();
  release.resolve();
  for (let count = 0; count < 10; count += 1) await conditions.update({ schemas: [schema('a')], levels: [] });
  expect(written).toEqual(Array.from({ length: 6 }, () => 'a'));
  await conditions.stop();
});
