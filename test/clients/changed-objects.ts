import type { JsonObject } from '../../src/api/json/json.ts';
import type { ApiClient } from '../api-client.ts';

/** Finds the objects written since the last call, in some collections. */
export class ChangedObjects {
  readonly #client: ApiClient;
  readonly #collections: readonly string[];
  readonly #known = new Map<string, string>();

  /** `collections` are paths with query. */
  constructor(client: ApiClient, collections: readonly string[]) {
    this.#client = client;
    this.#collections = collections;
  }

  /** By resource and name; null for deleted objects. */
  async look(): Promise<JsonObject> {
    const found = new Map((await Promise.all(this.#collections.map((path) => this.#list(path)))).flat());
    const changes: JsonObject = {};
    for (const [path, object] of found) {
      const text = JSON.stringify(object);
      if (this.#known.get(path) !== text) changes[path] = object;
      this.#known.set(path, text);
    }
    for (const path of this.#known.keys()) {
      if (found.has(path)) continue;
      changes[path] = null;
      this.#known.delete(path);
    }
    return changes;
  }

  async #list(path: string): Promise<(readonly [name: string, object: JsonObject])[]> {
    const { body } = await this.#client.send('GET', path);
    const items = body['items'] as JsonObject[]; // lists have items
    return items.map((item) => {
      const { name } = item['metadata'] as { readonly name: string }; // objects have a name
      return [`${/\w+(?=\?|$)/.exec(path)?.[0]}/${name}`, item];
    });
  }
}
