import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonValue } from '../../../../src/api/json/json.ts';
import { ApiClient } from '../../../api-client.ts';
import { customGroup, type CustomKind, definitionOf, markOf } from './definitions.ts';
import type { Kept } from './keeper.ts';
import { type CustomWrite, objectName } from './sequence.ts';

const namespace = 'default';
const mediaTypes = { apply: 'application/apply-patch+yaml', merge: 'application/merge-patch+json' } as const;

/** Custom kinds in the reference server. */
export class CustomReference implements Disposable {
  readonly #client: ApiClient;

  private constructor(client: ApiClient) {
    this.#client = client;
  }

  static async connect(server: { readonly url: string; readonly kubeconfigPath: string }): Promise<CustomReference> {
    return new CustomReference(await ApiClient.connect(server));
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  /** Creates the definition or changes its schema, and waits until it is in effect. */
  async define(custom: CustomKind, phase: number): Promise<void> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const body = definitionOf(custom, phase);
    const own = `${path}/${custom.label}.${customGroup}`;
    const { code, body: found } = await this.#client.send('GET', own);
    const { metadata } = found;
    const resourceVersion = isJsonObject(metadata) ? (metadata['resourceVersion'] ?? '') : '';
    const replacement = { ...body, metadata: { name: `${custom.label}.${customGroup}`, resourceVersion } };
    const answer =
      code === 404
        ? await this.#client.send('POST', path, { body })
        : await this.#client.send('PUT', own, { body: replacement });
    if (answer.code >= 300) throw new Error(`no definition: ${JSON.stringify(answer.body)}`);
    for (const version of custom.versions) await this.#served(custom, version, markOf(phase));
  }

  async #served(custom: CustomKind, version: string, mark: string): Promise<void> {
    const probe = { apiVersion: `${customGroup}/${version}`, kind: custom.kind, metadata: { name: 'probe' }, spec: {} };
    for (let tries = 0; tries < 400; tries += 1) {
      if ((await this.#markOf(custom, version, probe)) === mark) return;
      await sleep(50);
    }
    throw new Error(`${custom.label} is not served with ${mark}`);
  }

  /** Undefined while the path is unknown, with a plain text response. */
  async #markOf(custom: CustomKind, version: string, body: object): Promise<JsonValue | undefined> {
    try {
      const answer = await this.#client.send('POST', `${pathOf(custom, version)}?dryRun=All`, { body });
      return answer.body['mark'];
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Sends a write; a replacement is based on the current object. */
  async write(custom: CustomKind, seed: number, write: CustomWrite): Promise<Kept> {
    const { operation, manager, version, force, body } = write;
    const path = `${pathOf(custom, version)}/${objectName(seed)}`;
    const query = `?fieldManager=${manager}${operation === 'apply' && force ? '&force=true' : ''}`;
    if (operation !== 'replace') {
      return this.#client.send('PATCH', `${path}${query}`, { body, contentType: mediaTypes[operation] });
    }
    const { body: live } = await this.#client.send('GET', path);
    const resourceVersion = valueAt(live['metadata'], 'resourceVersion') ?? '1';
    const metadata = { ...(isJsonObject(body['metadata']) ? body['metadata'] : {}), resourceVersion };
    return this.#client.send('PUT', `${path}${query}`, { body: { ...body, metadata } });
  }

  async remove(custom: CustomKind, seed: number): Promise<void> {
    await this.#client.send('DELETE', `${pathOf(custom, custom.versions[0] ?? '')}/${objectName(seed)}`);
  }
}

function valueAt(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}

function pathOf({ label }: CustomKind, version: string): string {
  return `/apis/${customGroup}/${version}/namespaces/${namespace}/${label}`;
}
