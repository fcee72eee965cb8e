import { describe, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

// Refusals as in kube-apiserver 1.37.1 without --allow-privileged, its default.
const privileged = { name: 'c', image: 'i', securityContext: { privileged: true } };
const hostProcess = {
  hostNetwork: true,
  os: { name: 'windows' },
  securityContext: { windowsOptions: { hostProcess: true } },
  containers: [{ name: 'c', image: 'i' }],
};
const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

interface Row {
  readonly path: string;
  readonly spec: object;
  readonly refusal: string;
}

const rows: readonly Row[] = [
  {
    path: pods,
    spec: { containers: [privileged] },
    refusal:
      'Pod "p" is invalid: spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
  },
  {
    path: deployments,
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [privileged] } },
    },
    refusal:
      'Deployment.apps "p" is invalid: spec.template.spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
  },
  {
    path: pods,
    spec: hostProcess,
    refusal: 'Pod "p" is invalid: spec: Forbidden: hostProcess containers are disallowed by cluster policy',
  },
];

describe.each([false, true])('--allow-privileged=%s', (allowPrivileged) => {
  test.each(rows)('$refusal', async ({ path, spec, refusal }) => {
    await using server = await startTestServer({ allowPrivileged });
    using client = await ApiClient.connect(server);
    const body = { metadata: { name: 'p' }, spec };
    const answer = await client.send('POST', path, { body });
    expect(answer).toMatchObject(allowPrivileged ? { code: 201 } : { code: 422, body: { message: refusal } });
    if (allowPrivileged) return;
    const errors = { spec: { containers: [{ ...privileged, securityContext: { privileged: true, runAsUser: -1 } }] } };
    const several = await client.send('POST', pods, { body: { ...body, ...errors } });
    // The order among other errors.
    expect(several.body).toMatchObject({
      details: {
        causes: [
          { reason: 'FieldValueForbidden', field: 'spec.containers[0].securityContext.privileged' },
          { reason: 'FieldValueInvalid', field: 'spec.containers[0].securityContext.runAsUser' },
        ],
      },
    });
  });
});
