import { expect, test } from 'vitest';
import { fieldName } from './field-name.ts';

test.each([
  ['metadata', 'v1.ObjectMeta', 'ObjectMeta'],
  ['metadata', 'v1.ListMeta', 'ListMeta'],
  ['name', 'string', 'Name'],
  ['uid', 'types.UID', 'UID'],
  ['fsGroup', 'int64', 'FSGroup'],
  ['apiVersion', 'string', 'APIVersion'],
  ['idle', 'string', 'Idle'],
  ['ips', '[]string', 'IPs'],
  ['httpGet', 'v1.HTTPGetAction', 'HTTPGet'],
  ['hostIP', 'string', 'HostIP'],
])('%s of %s is %s', (name, goType, expected) => {
  expect(fieldName(name, goType)).toBe(expected);
});
