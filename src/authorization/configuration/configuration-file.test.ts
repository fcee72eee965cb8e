import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { AuthorizationFileError, parseConfiguration } from './configuration-file.ts';

const types = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];
/** Any regular file. */
const kubeconfig = fileURLToPath(import.meta.url);
const refusals = JSON.parse(readFileSync(new URL('testdata/refusals.json', import.meta.url), 'utf8')) as {
  readonly file: string;
  readonly error: string;
}[];

function configuration(authorizers: readonly object[]): string {
  const header = { apiVersion: 'apiserver.config.k8s.io/v1beta1', kind: 'AuthorizationConfiguration' };
  return JSON.stringify({ ...header, authorizers });
}

const webhook = {
  timeout: '2s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: kubeconfig },
};

describe('files with which kube-apiserver 1.37.1 does not start', () => {
  test.each(refusals)('$file', async ({ file, error }) => {
    const text = file.replaceAll('KUBECONFIG', kubeconfig);
    await expect(parseConfiguration(text, { types, required: [] })).rejects.toThrow(new AuthorizationFileError(error));
  });
});

test('omitted settings have defaults', async () => {
  const [spec] = await parseConfiguration(configuration([{ type: 'Webhook', name: 'w', webhook }]), {
    types,
    required: [],
  });
  expect(spec).toEqual({
    type: 'Webhook',
    name: 'w',
    webhook: {
      authorizedTtlMs: 300_000,
      unauthorizedTtlMs: 30_000,
      timeoutMs: 2_000,
      reviewVersion: 'v1',
      failurePolicy: 'Deny',
      kubeconfigFile: kubeconfig,
      matchConditions: [],
    },
  });
});

test('uncached decisions have no TTL', async () => {
  const uncached = { ...webhook, cacheAuthorizedRequests: false, cacheUnauthorizedRequests: false };
  const text = configuration([{ type: 'Webhook', name: 'w', webhook: uncached }]);
  expect(await parseConfiguration(text, { types, required: [] })).toMatchObject([
    { webhook: { authorizedTtlMs: 0, unauthorizedTtlMs: 0 } },
  ]);
});

test('a type present at the start must stay', async () => {
  const text = configuration([{ type: 'RBAC', name: 'rbac' }]);
  await expect(parseConfiguration(text, { types, required: ['RBAC', 'Node', 'ABAC'] })).rejects.toThrow(
    'missing required types: [ABAC Node]',
  );
});
