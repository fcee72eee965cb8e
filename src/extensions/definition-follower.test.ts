import { expect, test } from 'vitest';
import type { Client, ClientWatchEvent, ClientWatchOptions } from '../api/client/client.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { untimed } from '../cel/rules/rule-times.ts';
import { type Definition, definitionOf, isTrue } from './definition.ts';
import { DefinitionFollower } from './definition-follower.ts';

const names = { plural: 'buoys', singular: 'buoy', kind: 'Buoy', listKind: 'BuoyList' };

function created(): Definition {
  return definitionOf({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'buoys.example.com', uid: 'u', generation: 1, resourceVersion: '1' },
    spec: {
      group: 'example.com',
      names,
      scope: 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    },
  } as KubernetesObject);
}

/** A store with one definition, whose watch tells of a write before the write returns. */
class OneDefinition {
  /** The events that somebody wanted, and whether that was while a write was under way. */
  readonly read: string[] = [];
  readonly written = Promise.withResolvers<Definition>();
  readonly #events: (readonly [version: string, object: KubernetesObject])[] = [['1', created()]];
  #wake = Promise.withResolvers<void>();

  readonly client = {
    list: () => Promise.resolve({ items: [], resourceVersion: '0' }),
    watch: (_: unknown, options: ClientWatchOptions) => this.#watch(options),
    write: (_: unknown, object: KubernetesObject) => this.#write(definitionOf(object)),
    // Of a client, only this is asked for.
  } as unknown as Client;

  async *#watch({ wants, signal }: ClientWatchOptions): AsyncGenerator<ClientWatchEvent> {
    signal.addEventListener('abort', () => this.#wake.resolve());
    while (!signal.aborted) {
      const event = this.#events.shift();
      if (event === undefined) {
        this.#wake = Promise.withResolvers();
        await this.#wake.promise;
      } else if (await wants?.('buoys.example.com', event[0])) {
        this.read.push(event[0]);
        yield { type: 'ADDED', object: event[1] };
      }
    }
  }

  async #write(definition: Definition): Promise<string> {
    const version = String(Number(definition.metadata.resourceVersion) + 1);
    const object = { ...definition, metadata: { ...definition.metadata, resourceVersion: version } };
    this.#events.push([version, object]);
    this.#wake.resolve();
    // As many steps as a write may have after its commit.
    for (let step = 0; step < 50; step++) await Promise.resolve();
    if (isTrue(object, 'Established')) this.written.resolve(object);
    return version;
  }
}

test('a definition is read once: what is written here is known, even if the watch tells of it first', async () => {
  const store = new OneDefinition();
  const catalogue = new LiveCatalogue(Catalogue.empty);
  const errors: unknown[] = [];
  await using follower = new DefinitionFollower({
    client: store.client,
    catalogue,
    clock: { now: () => 0 },
    onError: (error) => errors.push(error),
    metrics: { observe: () => undefined },
    times: untimed,
    webhooks: { services: () => Promise.reject(new Error('no service is asked for')) },
  });
  await follower.begin();
  const { metadata } = await store.written.promise;
  expect(metadata.resourceVersion).toBe('3');
  expect(catalogue.current.served('example.com', 'v1', 'buoys')?.resource.kind).toBe('Buoy');
  expect(store.read).toEqual(['1']);
  expect(errors).toEqual([]);
});
