import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { formatApiVersion } from '../../src/api/meta/group-version.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { samples } from '../all-resources/objects.ts';
import type { ApiResponse, ApiClient } from '../api-client.ts';

/** Where the namespaced examples are. */
export const namespace = 'e2e';

/** An object of a resource, and its paths. */
export interface Example {
  readonly collection: string;
  readonly path: string;
  readonly name: string;
  readonly object: JsonObject;
}

export function exampleOf(resource: Resource): Example {
  const { name = 'sample', body } = sampleOf(resource);
  const collection = collectionPath(resource);
  const apiVersion = formatApiVersion(resource.group, resource.version);
  return {
    collection,
    path: `${collection}/${name}`,
    name,
    object: { apiVersion, kind: resource.kind, metadata: { name }, ...body },
  };
}

function sampleOf({ group, version, plural }: Resource): { readonly name?: string; readonly body: JsonObject } {
  const sample = samples[`${group}/${version}/${plural}`] ?? samples[`${group}/${plural}`];
  if (sample === undefined) throw new Error(`no sample of ${plural}.${group}`);
  return sample;
}

export function collectionPath(resource: Resource): string {
  const { plural, namespaced } = resource;
  return namespaced ? `${versionPath(resource)}/namespaces/${namespace}/${plural}` : everywherePath(resource);
}

/** The objects of all namespaces. */
export function everywherePath(resource: Resource): string {
  return `${versionPath(resource)}/${resource.plural}`;
}

function versionPath({ group, version }: Resource): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The response of both; kube-apiserver's controllers may change an object between the two reads. */
export async function sameOn(
  one: ApiClient,
  other: ApiClient,
  path: string,
  part: (body: JsonObject) => unknown = (body) => body,
): Promise<JsonObject> {
  for (let tries = 0; ; tries++) {
    const [here, there] = [await bodyOf(one.send('GET', path), 200), await bodyOf(other.send('GET', path), 200)];
    if (tries === 20 || isDeepStrictEqual(part(here), part(there))) {
      expect(part(here), path).toEqual(part(there));
      return here;
    }
    await sleep(50);
  }
}

export async function bodyOf(answer: Promise<ApiResponse>, code: number): Promise<JsonObject> {
  const { code: found, body } = await answer;
  expect(found, JSON.stringify(body)).toBe(code);
  return body;
}

export function metadataOf(object: JsonObject): { readonly [field: string]: unknown } {
  // All these objects and lists have metadata.
  return object['metadata'] as JsonObject;
}
