import type { Collection } from '../api/client/client.ts';

/** The core group's collections that controllers follow, in all namespaces. */
export const claims = core('persistentvolumeclaims');
export const configMaps = core('configmaps');
export const endpoints = core('endpoints');
export const events = core('events');
export const namespaces = core('namespaces');
export const nodes = core('nodes');
export const pods = core('pods');
export const secrets = core('secrets');
export const services = core('services');
export const serviceAccounts = core('serviceaccounts');
export const volumes = core('persistentvolumes');

function core(resource: string): Collection {
  return { group: '', version: 'v1', resource, namespace: '' };
}
