import { describe, expect, test } from 'vitest';
import { describeKubectl } from './kubectl.ts';

describeKubectl('office', (kubectl) => {
  test('api-resources', async () => {
    const all = await kubectl.run`api-resources --no-headers`;
    expect(all).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment *$/m);
    expect(all).toMatch(/^nodes +no +v1 +false +Node *$/m);
    const names = await kubectl.run`api-resources --api-group=batch -o name --sort-by=name`;
    expect(names).toBe('cronjobs.batch\njobs.batch\n');
    expect(await kubectl.run`api-resources --namespaced=false --verbs=list -o name`).toContain('namespaces\n');
    expect(await kubectl.run`api-resources -o wide --no-headers`).toMatch(
      /^pods .*create,delete,deletecollection,get,list,patch,update,watch +all *$/m,
    );
    expect(await kubectl.run`api-resources --categories=all -o name`).toContain('statefulsets.apps\n');
  });

  test('api-versions', async () => {
    const versions = (await kubectl.run`api-versions`).trimEnd().split('\n');
    expect(versions).toEqual(
      expect.arrayContaining(['v1', 'apps/v1', 'autoscaling/v2', 'rbac.authorization.k8s.io/v1']),
    );
  });

  test('version and cluster-info', async () => {
    const version: unknown = JSON.parse(await kubectl.run`version -o json`);
    expect(version).toMatchObject({
      serverVersion: { major: '1', minor: '37', gitVersion: expect.stringMatching(/^v1\.37\.1/) },
    });
    expect(await kubectl.run`cluster-info`).toContain('is running at');
  });

  test('auth whoami and can-i', async () => {
    const me: unknown = JSON.parse(await kubectl.run`auth whoami -o json`);
    expect(me).toMatchObject({
      status: { userInfo: { groups: expect.arrayContaining(['system:masters', 'system:authenticated']) } },
    });
    expect(await kubectl.run`auth whoami`).toContain('ATTRIBUTE');
    expect(await kubectl.run`auth can-i create pods`).toBe('yes\n');
    expect(await kubectl.run`auth can-i delete /metrics`).toContain('yes\n');
  });

  describe('explain', () => {
    test('a kind, a field, everything below it', async () => {
      const kind = await kubectl.run`explain deployment`;
      expect(kind).toMatch(/^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n/);
      expect(kind).toMatch(/^ {2}spec\t<DeploymentSpec>/m);
      const field = await kubectl.run`explain pod.spec.containers.imagePullPolicy`;
      expect(field).toMatch(/FIELD: imagePullPolicy <string>\nENUM:\n {4}Always\n {4}IfNotPresent\n {4}Never\n/);
      const deep = await kubectl.run`explain pod.spec --recursive`;
      expect(deep).toMatch(/^ {2}containers\t<\[\]Container> -required-\n {4}args\t<\[\]string>$/m);
      expect(await kubectl.fails`explain pod.spec.sails`).toContain('field "sails" does not exist');
    });

    test('in a given version', async () => {
      const old = await kubectl.run`explain horizontalpodautoscaler.spec --api-version=autoscaling/v1`;
      expect(old).toContain('targetCPUUtilizationPercentage\t<integer>');
      const preferred = await kubectl.run`explain horizontalpodautoscaler.spec`;
      expect(preferred).toContain('metrics\t<[]MetricSpec>');
      expect(await kubectl.run`explain pods --output=plaintext-openapiv2`).toContain('VERSION:');
    });
  });

  test('component statuses', async () => {
    expect((await kubectl.result`get componentstatuses`).stdout).toMatch(/^NAME +STATUS +MESSAGE +ERROR/);
  });
});
