import { beforeEach, describe, expect, test } from 'vitest';
import { describeKubectl } from './kubectl.ts';

describeKubectl('dock', (kubectl) => {
  const names = (kind: string): Promise<string> => kubectl.run`get ${kind} -o name`;

  beforeEach(async () => {
    await kubectl.run`delete configmaps,deployments --all`;
    for (const [name, side] of [
      ['a', 'port'],
      ['b', 'port'],
      ['c', 'starboard'],
    ] as const) {
      await kubectl.with({
        input: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { side } } }),
      }).run`create -f -`;
    }
  });

  test('by name, by file, by label, all', async () => {
    expect(await kubectl.run`delete configmap a`).toBe('configmap "a" deleted from dock namespace\n');
    expect(await kubectl.fails`delete configmap a`).toBe('Error from server (NotFound): configmaps "a" not found\n');
    expect(await kubectl.run`delete configmap a --ignore-not-found`).toBe('');
    expect(await kubectl.run`delete configmaps -l side=port`).toBe('configmap "b" deleted from dock namespace\n');
    const input = '{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}';
    expect(await kubectl.with({ input }).run`delete -f -`).toBe('configmap "c" deleted from dock namespace\n');
    expect(await names('configmaps')).toBe('');
    await kubectl.run`create configmap d`;
    expect(await kubectl.run`delete configmaps --all`).toBe('configmap "d" deleted from dock namespace\n');
    expect(await kubectl.run`delete configmaps --all`).toBe('No resources found\n');
  });

  test('by field selector, and in a dry run', async () => {
    expect(await kubectl.run`delete configmaps --field-selector metadata.name=b --dry-run=server`).toContain(
      '(server dry run)',
    );
    expect(await names('configmaps')).toBe('configmap/a\nconfigmap/b\nconfigmap/c\n');
    await kubectl.run`delete configmaps --field-selector metadata.name=b`;
    expect(await names('configmaps')).toBe('configmap/a\nconfigmap/c\n');
  });

  test('a pod immediately', async () => {
    await kubectl.run`run skiff --image=registry.example/skiff:1`;
    expect(await kubectl.run`delete pod skiff --grace-period=0 --force`).toContain('pod "skiff" force deleted');
    expect(await names('pods')).toBe('');
  });

  describe('--cascade', () => {
    /** A config map that the deployment owns. */
    const own = async (): Promise<void> => {
      await kubectl.run`create deployment barge --image=registry.example/barge:1`;
      await kubectl.run`create configmap crate`;
      const uid = await kubectl.run`get deployment barge -o jsonpath={.metadata.uid}`;
      const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'barge', uid, blockOwnerDeletion: true };
      const patch = JSON.stringify({ metadata: { ownerReferences: [owner] } });
      await kubectl.run`patch configmap crate --type=merge -p ${patch}`;
    };

    test.each(['background', 'foreground'])('%s collects dependents', async (cascade) => {
      await own();
      expect(await kubectl.run`delete deployment barge --cascade=${cascade} --timeout=20s`).toBe(
        'deployment.apps "barge" deleted from dock namespace\n',
      );
      await kubectl.run`wait --for=delete configmap/crate --timeout=20s`;
      expect(await kubectl.fails`get configmap crate`).toContain('configmaps "crate" not found');
    });

    test('orphan leaves dependents without their owner', async () => {
      await own();
      await kubectl.run`delete deployment barge --cascade=orphan --timeout=20s`;
      expect(await names('deployments')).toBe('');
      expect(await kubectl.run`get configmap crate -o jsonpath={.metadata.ownerReferences}`).toBe('');
      await kubectl.run`delete configmap crate`;
    });
  });

  test('delete waits for finalizers', async () => {
    await kubectl.run`patch configmap a --type=merge -p ${'{"metadata":{"finalizers":["dock.example/rope"]}}'}`;
    const deleted = kubectl.run`delete configmap a --timeout=20s`;
    await expect
      .poll(() => kubectl.run`get configmap a -o jsonpath={.metadata.deletionTimestamp}`, { timeout: 10_000 })
      .toMatch(/Z$/);
    await kubectl.run`patch configmap a --type=merge -p ${'{"metadata":{"finalizers":[]}}'}`;
    expect(await deleted).toBe('configmap "a" deleted from dock namespace\n');
  });

  test('a namespace with everything in it', async () => {
    await kubectl.run`create namespace wreck`;
    await kubectl.run`create configmap plank -n wreck`;
    await kubectl.run`create deployment mast -n wreck --image=registry.example/mast:1`;
    expect(await kubectl.run`delete namespace wreck --timeout=30s`).toBe('namespace "wreck" deleted\n');
    expect(await kubectl.fails`get namespace wreck`).toContain('namespaces "wreck" not found');
    expect(await kubectl.run`get configmaps,deployments -n wreck -o name`).toBe('');
  });
});
