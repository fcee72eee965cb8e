import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeKubectl } from './kubectl.ts';

const requests = JSON.parse(
  readFileSync(new URL('../controllers/testdata/requests.json', import.meta.url), 'utf8'),
) as {
  readonly [name: string]: string;
};

describeKubectl('harbour', (kubectl) => {
  test('create token for the account that every namespace has', async () => {
    await expect
      .poll(() => kubectl.run`get serviceaccounts -o name`, { timeout: 10_000 })
      .toContain('serviceaccount/default');
    const token = await kubectl.run`create token default --duration=20m`;
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      readonly sub: string;
    };
    expect(claims.sub).toBe('system:serviceaccount:harbour:default');
  });

  test('certificate approve and deny', async () => {
    for (const name of ['pilot', 'pirate']) {
      const request = Buffer.from(requests['client'] ?? '').toString('base64');
      const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
      const object = {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name },
        spec,
      };
      await kubectl.with({ input: JSON.stringify(object) }).run`create -f -`;
    }
    expect(await kubectl.run`certificate approve pilot`).toBe(
      'certificatesigningrequest.certificates.k8s.io/pilot approved\n',
    );
    expect(await kubectl.run`certificate deny pirate`).toBe(
      'certificatesigningrequest.certificates.k8s.io/pirate denied\n',
    );
    const conditions = await kubectl.run`get csr pilot pirate -o jsonpath={.items[*].status.conditions[*].type}`;
    expect(conditions).toBe('Approved Denied');
  });

  test('drain evicts pods, and waits for none that nobody would start again but by force', async () => {
    await kubectl.with({ input: '{apiVersion: v1, kind: Node, metadata: {name: quay}}' }).run`create -f -`;
    const spec = '{nodeName: quay, containers: [{name: c, image: i}], terminationGracePeriodSeconds: 0}';
    const input = `{apiVersion: v1, kind: Pod, metadata: {name: crate}, spec: ${spec}}`;
    await kubectl.with({ input }).run`create -f -`;
    expect(await kubectl.fails`drain quay`).toContain('cannot delete Pods that declare no controller');
    expect(await kubectl.run`drain quay --force --timeout=30s`).toContain('node/quay drained');
    expect(await kubectl.run`get pods -o name`).toBe('');
    expect(await kubectl.run`get node quay -o jsonpath={.spec.unschedulable}`).toBe('true');
  });
});
