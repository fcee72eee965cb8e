import { expect, test } from 'vitest';
import { describeKubectl } from './kubectl.ts';

describeKubectl('watchtower', (kubectl) => {
  const ready = (status: string): string =>
    JSON.stringify({ status: { phase: 'Running', conditions: [{ type: 'Ready', status }] } });

  test('wait for a condition, a value, a deletion', async () => {
    await kubectl.run`run lamp --image=registry.example/lamp:1`;
    const waiting = [
      kubectl.run`wait pod/lamp --for=condition=Ready --timeout=30s`,
      kubectl.run`wait pod/lamp --for=jsonpath={.status.phase}=Running --timeout=30s`,
    ];
    await kubectl.run`patch pod lamp --subresource=status -p ${ready('True')}`;
    expect(await Promise.all(waiting)).toEqual(['pod/lamp condition met\n', 'pod/lamp condition met\n']);
    const gone = kubectl.run`wait pod/lamp --for=delete --timeout=30s`;
    await kubectl.run`delete pod lamp --now`;
    expect(await gone).toMatch(/^(?:pod\/lamp condition met\n)?$/);
  });

  test('wait for what is created later, and for what never is', async () => {
    const created = kubectl.run`wait configmap/signal --for=create --timeout=30s`;
    await kubectl.run`create configmap signal`;
    expect(await created).toBe('configmap/signal condition met\n');
    expect(await kubectl.fails`wait configmap/signal --for=jsonpath={.data.x}=1 --timeout=1s`).toContain(
      'timed out waiting for the condition',
    );
  });

  test('get -w shows changes as they happen', async () => {
    const watching = kubectl.run`get configmaps -w --output-watch-events -l kind=flag --no-headers --request-timeout=10s`;
    // The watch starts with the current state; changes follow while it lasts, which three commands must fit into.
    await kubectl.with({
      input: '{apiVersion: v1, kind: ConfigMap, metadata: {name: flag, labels: {kind: flag}}}',
    }).run`create -f -`;
    await kubectl.run`label configmap flag raised=yes`;
    await kubectl.run`label configmap flag kind-`;
    const events = (await watching).trimEnd().split('\n');
    expect(events.map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual([
      'ADDED flag',
      'MODIFIED flag',
      'DELETED flag',
    ]);
  });

  test('get --watch-only of one object in JSON', async () => {
    await kubectl.run`create configmap beam`;
    const watching = kubectl.run`get configmap beam --watch-only -o jsonpath={.data.color}; --request-timeout=8s`;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await kubectl.run`patch configmap beam -p ${'{"data":{"color":"green"}}'}`;
    expect(await watching).toBe('green;');
  });
});
