import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeKubectl, manifest } from './kubectl.ts';

describeKubectl('harbor', (kubectl) => {
  const field = (object: string, path: string): Promise<string> =>
    kubectl.run`get ${object} -o ${`jsonpath={${path}}`}`;

  beforeAll(async () => {
    for (const file of ['core.yaml', 'workloads.yaml']) await kubectl.run`create -f ${manifest(file)}`;
  });

  describe('patch', () => {
    test('strategic merge: lists are merged by their keys', async () => {
      const patch = JSON.stringify({
        spec: { template: { spec: { containers: [{ name: 'log', image: 'registry.example/log:9' }] } } },
      });
      expect(await kubectl.run`patch deployment pilot -p ${patch}`).toBe('deployment.apps/pilot patched\n');
      expect(await field('deployment/pilot', '.spec.template.spec.containers[*].image')).toBe(
        'registry.example/pilot:1 registry.example/log:9',
      );
    });

    test('merge: lists are replaced, null removes', async () => {
      const patch = '{"data":{"heading":"south","depths.csv":null}}';
      await kubectl.run`patch configmap charts --type=merge -p ${patch}`;
      expect(JSON.parse(await field('configmap/charts', '.data'))).toEqual({ heading: 'south' });
      expect(await kubectl.run`patch configmap charts --type=merge -p ${patch}`).toBe(
        'configmap/charts patched (no change)\n',
      );
    });

    test('JSON Patch: operations on paths, with tests', async () => {
      const operations = (from: string, to: string): string =>
        JSON.stringify([
          { op: 'test', path: '/data/heading', value: from },
          { op: 'replace', path: '/data/heading', value: to },
        ]);
      await kubectl.run`patch configmap charts --type=json -p ${operations('south', 'east')}`;
      expect(await field('configmap/charts', '.data.heading')).toBe('east');
      expect(await kubectl.fails`patch configmap charts --type=json -p ${operations('south', 'west')}`).toContain(
        'The request is invalid',
      );
    });

    test('subresources', async () => {
      const patch = '{"status":{"phase":"Running"}}';
      await kubectl.run`patch pod pilot --subresource=status --type=merge -p ${patch}`;
      expect(await field('pod/pilot', '.status.phase')).toBe('Running');
      await kubectl.run`patch replicationcontroller tugs --subresource=scale --type=merge -p ${'{"spec":{"replicas":5}}'}`;
      expect(await field('replicationcontroller/tugs', '.spec.replicas')).toBe('5');
    });
  });

  test('label and annotate add, change and remove', async () => {
    expect(await kubectl.run`label pod pilot color=red`).toBe('pod/pilot labeled\n');
    expect(await kubectl.fails`label pod pilot color=blue`).toContain("'color' already has a value (red)");
    await kubectl.run`label pod pilot color=blue --overwrite`;
    expect(await field('pod/pilot', '.metadata.labels.color')).toBe('blue');
    expect(await kubectl.run`label pod pilot color-`).toBe('pod/pilot unlabeled\n');
    expect(await kubectl.run`label pods --all deck=upper`).toBe('pod/pilot labeled\n');
    expect(await kubectl.fails`label pod pilot ${'color=not a value'}`).toContain('a valid label must be');
    expect(await kubectl.run`annotate pod pilot harbor.example/pier=two --overwrite`).toBe('pod/pilot annotated\n');
    expect(await field('pod/pilot', String.raw`.metadata.annotations.harbor\.example/pier`)).toBe('two');
    expect(await kubectl.run`annotate pod pilot harbor.example/pier-`).toBe('pod/pilot annotated\n');
    expect(await kubectl.run`label pod pilot --list`).toContain('app=pilot');
  });

  test('edit saves the result of the editor', async () => {
    const scratch = kubectl.server?.scratchDir ?? '';
    const editor = join(scratch, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i "s/heading: .*/heading: edited/" "$1"\n');
    await chmod(editor, 0o755);
    const edit = kubectl.with({ env: { KUBE_EDITOR: editor } });
    expect(await edit.run`edit configmap charts`).toBe('configmap/charts edited\n');
    expect(await field('configmap/charts', '.data.heading')).toBe('edited');
    expect((await edit.result`edit configmap charts`).stderr).toContain('Edit cancelled, no changes made.');
  });

  describe('scale', () => {
    test.each(['deployment/pilot', 'replicaset/ferry', 'statefulset/ledger', 'replicationcontroller/tugs'])(
      '%s',
      async (workload) => {
        expect(await kubectl.run`scale ${workload} --replicas=7`).toMatch(/ scaled\n$/);
        expect(await field(workload, '.spec.replicas')).toBe('7');
        expect(await kubectl.fails`scale ${workload} --current-replicas=6 --replicas=8`).toContain(
          'Expected replicas to be 6, was 7',
        );
      },
    );
  });

  test('set image, env, resources, serviceaccount and selector', async () => {
    expect(await kubectl.run`set image deployment/pilot pilot=registry.example/pilot:2`).toBe(
      'deployment.apps/pilot image updated\n',
    );
    expect(await field('deployment/pilot', '.spec.template.spec.containers[0].image')).toBe('registry.example/pilot:2');
    expect(await kubectl.run`set env deployment/pilot PIER=one -c pilot`).toBe('deployment.apps/pilot env updated\n');
    expect(await kubectl.run`set resources deployment pilot -c pilot --requests=cpu=100m`).toBe(
      'deployment.apps/pilot resource requirements updated\n',
    );
    expect(await field('deployment/pilot', '.spec.template.spec.containers[0].resources.requests.cpu')).toBe('100m');
    expect(await kubectl.run`set serviceaccount deployment pilot pilot`).toBe(
      'deployment.apps/pilot serviceaccount updated\n',
    );
    expect(await kubectl.run`set selector service pilot app=other`).toBe('service/pilot selector updated\n');
  });

  test('rollouts, as far as they need no controller', async () => {
    expect(await kubectl.run`rollout pause deployment/pilot`).toBe('deployment.apps/pilot paused\n');
    expect(await field('deployment/pilot', '.spec.paused')).toBe('true');
    expect(await kubectl.fails`rollout restart deployment/pilot`).toContain("can't restart paused deployment");
    expect(await kubectl.run`rollout resume deployment/pilot`).toBe('deployment.apps/pilot resumed\n');
    expect(await kubectl.run`rollout restart deployment/pilot daemonset/lookout statefulset/ledger`).toContain(
      'deployment.apps/pilot restarted\n',
    );
    expect(await kubectl.run`rollout status deployment/pilot --watch=false`).toContain('Waiting for deployment');
    expect(await kubectl.run`rollout history deployment/pilot`).toContain('No rollout history found.');
    const status = JSON.stringify({
      status: { observedGeneration: 99, replicas: 7, updatedReplicas: 7, availableReplicas: 7, readyReplicas: 7 },
    });
    await kubectl.run`patch deployment pilot --subresource=status --type=merge -p ${status}`;
    expect(await kubectl.run`rollout status deployment/pilot`).toBe('deployment "pilot" successfully rolled out\n');
  });

  test('nodes: taint, cordon, uncordon', async () => {
    expect(await kubectl.run`taint nodes berth-1 flooded=yes:NoExecute`).toBe('node/berth-1 tainted\n');
    expect(await field('node/berth-1', '.spec.taints[*].key')).toContain('flooded');
    expect(await kubectl.run`taint nodes berth-1 flooded-`).toBe('node/berth-1 untainted\n');
    expect(await kubectl.run`cordon berth-1`).toBe('node/berth-1 cordoned\n');
    expect(await field('node/berth-1', '.spec.unschedulable')).toBe('true');
    expect(await kubectl.run`uncordon berth-1`).toBe('node/berth-1 uncordoned\n');
  });

  test('expose and autoscale', async () => {
    expect(await kubectl.run`expose deployment pilot --name=front --port=80 --target-port=8080`).toBe(
      'service/front exposed\n',
    );
    expect(JSON.parse(await field('service/front', '.spec.selector'))).toEqual({ app: 'pilot' });
    expect(await kubectl.run`autoscale replicaset ferry --min=2 --max=6 --cpu=60%`).toBe(
      'horizontalpodautoscaler.autoscaling/ferry autoscaled\n',
    );
    expect(await field('hpa/ferry', '.spec.maxReplicas')).toBe('6');
  });
});
