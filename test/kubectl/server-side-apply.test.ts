import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeKubectl, manifest } from './kubectl.ts';

const folder = manifest('');

describeKubectl('harbor', (kubectl) => {
  test('every manifest is applied server-side, twice, without a diff', async () => {
    const lines = (await kubectl.run`apply --server-side -f ${folder}`).trimEnd().split('\n');
    expect(lines.filter((line) => !line.endsWith(' serverside-applied'))).toEqual([]);
    const versions = 'jsonpath={.metadata.resourceVersion}';
    const before = await kubectl.run`get deployment pilot -o ${versions}`;
    await kubectl.run`apply --server-side -f ${folder}`;
    expect(await kubectl.run`get deployment pilot -o ${versions}`).toBe(before);
    expect(await kubectl.run`diff --server-side -f ${manifest('workloads.yaml')}`).toBe('');
  });

  test('other managers conflict, unless forced', async () => {
    const path = join(kubectl.server?.scratchDir ?? '', 'pilot.yaml');
    await writeFile(
      path,
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: pilot, namespace: harbor}\nspec: {replicas: 7}\n',
    );
    await expect(kubectl.run`apply --server-side --field-manager other -f ${path}`).rejects.toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl": .spec.replicas',
    );
    await kubectl.run`apply --server-side --field-manager other --force-conflicts -f ${path}`;
    expect(await kubectl.run`get deployment pilot -o ${'jsonpath={.spec.replicas}'}`).toBe('7');
  });
});
