import { expect, vi } from 'vitest';
import type { ApiClient } from '../api-client.ts';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const group = 'harbor.example.com';

export interface Ships {
  readonly versions: readonly { readonly name: string; readonly [more: string]: unknown }[];
  readonly conversion?: object;
}

/** A definition of ships; all versions are served, the first is the storage version. */
export function ships({ versions, conversion }: Ships): object {
  const names = { plural: 'ships', singular: 'ship', kind: 'Ship', listKind: 'ShipList', shortNames: ['sh'] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `ships.${group}` },
    spec: {
      group,
      names,
      scope: 'Namespaced',
      ...(conversion === undefined ? {} : { conversion }),
      versions: versions.map((version, index) => ({ served: true, storage: index === 0, ...version })),
    },
  };
}

/** The schema of a version with these spec properties. */
export function specSchema(properties: object): object {
  return { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
}

export function ship(name: string, spec: object, version = 'v1'): object {
  return { apiVersion: `${group}/${version}`, kind: 'Ship', metadata: { name }, spec };
}

export function shipsPath(version = 'v1'): string {
  return `/apis/${group}/${version}/namespaces/default/ships`;
}

/** Creates the definition and waits until it is established. */
export async function define(client: ApiClient, definition: object): Promise<void> {
  const { code, body } = await client.send('POST', definitionsPath, { body: definition });
  expect(code, JSON.stringify(body)).toBe(201);
  await vi.waitFor(async () => expect(await conditions(client)).toMatchObject({ Established: 'True' }), {
    timeout: 10_000,
  });
}

/** Deletes the definition and waits until it is gone. */
export async function undefine(client: ApiClient): Promise<void> {
  await client.send('DELETE', `${definitionsPath}/ships.${group}`);
  const gone = async (): Promise<number> => (await client.send('GET', `${definitionsPath}/ships.${group}`)).code;
  await vi.waitFor(async () => expect(await gone()).toBe(404), { timeout: 10_000 });
}

export async function conditions(client: ApiClient): Promise<{ [type: string]: string }> {
  const { body } = await client.send('GET', `${definitionsPath}/ships.${group}`);
  const { conditions: told = [] } = (body['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
  return Object.fromEntries(told.map(({ type, status }) => [type, status]));
}
