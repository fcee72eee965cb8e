import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Metric } from '../../api/metrics/metric.ts';
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

type Changed = (text: string) => void | Promise<void>;

/** `follow` is given the function that is called when the file has changed. */
function open(text: string, follow: (changed: Changed) => void = () => {}) {
  return configuredAuthentication({
    config: {
      ...authenticationDefaults,
      configFile: 'FILE',
      serviceAccounts: { ...authenticationDefaults.serviceAccounts, issuers: ['https://x.example'] },
    },
    clock: { now: () => 0 },
    onError: () => {},
    onStop: () => {},
    readFile: (_, changed) => {
      if (changed !== undefined) follow(changed);
      return Promise.resolve(text);
    },
    metric: (definition) => new Metric(definition),
    serverId: 'apiserver-a',
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

describe('a changed file that cannot be used', () => {
  const header = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
  const issuer = { url: 'https://a.example', audiences: ['a'], egressSelectorType: 'cluster' };
  const jwt = [{ issuer, claimMappings: { username: { claim: 'sub', prefix: '' } } }];
  const later = `${header}jwt: ${JSON.stringify(jwt)}\n`;
  const refusal = 'oidc: egress lookup required with egress selector type "cluster"';

  test('is given up, not tried again', async () => {
    const followed = Promise.withResolvers<Changed>();
    await open(header, followed.resolve);
    const changed = await followed.promise;
    await expect(changed(later)).rejects.toThrow(refusal);
  });

  test('is noticed when it changes during the start', async () => {
    const refused = Promise.withResolvers<unknown>();
    await open(header, (changed) => void Promise.resolve(changed(later)).catch(refused.resolve));
    expect(await refused.promise).toHaveProperty('message', refusal);
  });
});
