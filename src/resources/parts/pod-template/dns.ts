import { childPath, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import type { PodSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { ipAddress } from '../addresses/addresses.ts';
import { underscoreSubdomainErrors } from '../rules/forms.ts';
import { type Errors, formErrors, isEmpty } from '../rules/rules.ts';

export function* podDns({ dnsPolicy, dnsConfig }: PodSpec, path: string): Errors {
  const serversPath = childPath(path, 'nameservers');
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) return yield requiredField(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
    if (isEmpty(dnsConfig.nameservers)) {
      return yield requiredField(serversPath, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
    }
  }
  if (dnsConfig === undefined) return;
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (nameservers.length > 3) yield invalidField(serversPath, nameservers, 'must not have more than 3 nameservers');
  for (const [index, server] of nameservers.entries()) {
    yield* ipAddress(server, keyPath(serversPath, index));
  }
  const searchesPath = childPath(path, 'searches');
  if (searches.length > 32) yield invalidField(searchesPath, searches, 'must not have more than 32 search paths');
  if (searches.join(' ').length > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list';
    yield invalidField(searchesPath, searches, detail);
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    yield* formErrors(keyPath(searchesPath, index), name, underscoreSubdomainErrors(name));
  }
  for (const [index, { name }] of options.entries()) {
    if (isEmpty(name)) yield requiredField(keyPath(childPath(path, 'options'), index), 'must not be empty');
  }
}
