import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Measure } from '../../api/measure.ts';
import { authenticationDefaults } from '../authentication-config.ts';
import { configuredAuthentication } from './configured-issuers.ts';

interface Recorded {
  readonly name: string;
  readonly config: object;
  /** kube-apiserver's message. */
  readonly message: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('testdata/configurations.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

function open(text: string) {
  return configuredAuthentication({
    config: {
      ...authenticationDefaults,
      configFile: 'FILE',
      serviceAccounts: { ...authenticationDefaults.serviceAccounts, issuers: ['https://x.example'] },
    },
    clock: { now: () => 0 },
    onError: () => {},
    onStop: () => {},
    readFile: () => Promise.resolve(text),
    measure: (definition) => new Measure(definition),
  });
}

test.each(recorded)('a file with $name is refused with kube-apiserver’s message', async ({ config, message }) => {
  await expect(open(JSON.stringify(config))).rejects.toHaveProperty('message', message);
});

test('an empty file is not a configuration', async () => {
  await expect(open('')).rejects.toThrow(
    'failed to load authentication configuration from file "FILE": empty config data',
  );
});

test('a file may configure nothing', async () => {
  const text = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
  const { tokens, anonymous } = await open(text);
  expect(anonymous).toBeUndefined();
  expect(tokens.authenticate({ token: 'a.b.c', audiences: [] })).toBeUndefined();
});
