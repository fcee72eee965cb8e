import { beforeAll, describe, expect, test } from 'vitest';
import { describeKubectl, manifest } from './kubectl.ts';

const lines = (text: string): string[] => text.trimEnd().split('\n');
/** The cells of a table row. */
const cells = (line: string | undefined): string[] => (line ?? '').trimEnd().split(/ {2,}/);

describeKubectl('harbor', (kubectl) => {
  beforeAll(async () => {
    for (const file of ['core.yaml', 'workloads.yaml']) await kubectl.run`create -f ${manifest(file)}`;
    for (const index of ['1', '2', '3', '4', '5']) {
      await kubectl.run`create configmap page-${index} --from-literal=number=${index}`;
    }
  });

  test('tables have the right columns and cells', async () => {
    const [head, row] = lines(await kubectl.run`get pod pilot`);
    expect(cells(head)).toEqual(['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE']);
    expect(cells(row).slice(0, 4)).toEqual(['pilot', '0/1', 'Pending', '0']);
    const services = lines(await kubectl.run`get services pilot`);
    expect(cells(services[0])).toEqual(['NAME', 'TYPE', 'CLUSTER-IP', 'EXTERNAL-IP', 'PORT(S)', 'AGE']);
    expect(cells(services[1])[4]).toBe('80/TCP,53/UDP');
  });

  test('wide tables have more', async () => {
    const [head, row] = lines(await kubectl.run`get deployment pilot -o wide`);
    expect(cells(head)).toEqual([
      'NAME',
      'READY',
      'UP-TO-DATE',
      'AVAILABLE',
      'AGE',
      'CONTAINERS',
      'IMAGES',
      'SELECTOR',
    ]);
    expect(cells(row)).toEqual([
      'pilot',
      '0/3',
      '0',
      '0',
      expect.any(String),
      'pilot,log',
      'registry.example/pilot:1,registry.example/log:1',
      'app=pilot',
    ]);
    const node = lines(await kubectl.run`get node berth-1 -o wide --no-headers`);
    expect(cells(node[0]).slice(0, 3)).toEqual(['berth-1', 'Unknown', '<none>']);
  });

  test('yaml and json are the object', async () => {
    const json: unknown = JSON.parse(await kubectl.run`get configmap charts -o json`);
    expect(json).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { heading: 'north' },
      binaryData: { 'tide.bin': 'AAECAw==' },
    });
    const yaml = await kubectl.run`get configmap charts -o yaml`;
    expect(yaml).toContain(
      'apiVersion: v1\nbinaryData:\n  tide.bin: AAECAw==\ndata:\n  depths.csv: |\n    pier,metres\n',
    );
    expect(await kubectl.run`get configmap charts -o kyaml`).toContain('kind: "ConfigMap"');
  });

  test('names, jsonpath, templates and custom columns', async () => {
    expect(await kubectl.run`get deployments,statefulsets -o name`).toBe(
      'deployment.apps/pilot\nstatefulset.apps/ledger\n',
    );
    expect(await kubectl.run`get pod pilot -o ${'jsonpath={range .spec.containers[*]}{.name}={.image}{end}'}`).toBe(
      'pilot=registry.example/pilot:1',
    );
    expect(await kubectl.run`get pod pilot -o ${'jsonpath-as-json={.metadata.labels}'}`).toContain('"tier": "front"');
    expect(
      await kubectl.run`get configmaps -l app=pilot -o ${'go-template={{range .items}}{{.metadata.name}}:{{.data.heading}}{{end}}'}`,
    ).toBe('charts:north');
    const columns = await kubectl.run`get pods -o custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[0].image`;
    expect(lines(columns).map(cells)).toEqual([
      ['NAME', 'IMAGE'],
      ['pilot', 'registry.example/pilot:1'],
    ]);
  });

  test('label selectors, equality and sets', async () => {
    const names = (selector: string): Promise<string> =>
      kubectl.run`get configmaps,pods,services -o name -l ${selector}`;
    expect(await names('app=pilot')).toBe('configmap/charts\npod/pilot\nservice/pilot\n');
    expect(await names('tier in (front,back)')).toBe('pod/pilot\nservice/pilot\n');
    expect(await names('app,tier!=front')).toBe('configmap/charts\n');
    expect(await names('!app,absent')).toBe('');
    expect(await kubectl.fails`get pods -l ${'=x'}`).toContain(`found '=', expected: !, identifier`);
  });

  test('label columns and kinds', async () => {
    const [head, row] = lines(await kubectl.run`get pods -L tier --show-kind`);
    expect(cells(head).at(-1)).toBe('TIER');
    expect(cells(row)[0]).toBe('pod/pilot');
    expect(cells(row).at(-1)).toBe('front');
    expect(await kubectl.run`get pods --show-labels --no-headers`).toContain('app=pilot,tier=front');
  });

  test('field selectors', async () => {
    expect(await kubectl.run`get configmaps -o name --field-selector metadata.name=page-3`).toBe('configmap/page-3\n');
    expect(await kubectl.run`get pods -o name --field-selector status.phase=Pending,spec.nodeName=`).toBe(
      'pod/pilot\n',
    );
    expect(await kubectl.run`get pods -o name --field-selector status.phase!=Pending`).toBe('');
    expect(await kubectl.fails`get configmaps --field-selector data.heading=north`).toContain(
      '"data.heading" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  test('chunks add up to one list', async () => {
    const whole = await kubectl.run`get configmaps -o name --chunk-size=0`;
    expect(lines(whole).filter((name) => name.includes('page-'))).toHaveLength(5);
    expect(await kubectl.run`get configmaps -o name --chunk-size=2`).toBe(whole);
    expect(await kubectl.run`get configmaps --chunk-size=2 --no-headers --sort-by=.metadata.name`).toContain('page-5');
  });

  test('all namespaces, and several kinds at once', async () => {
    const rows = lines(await kubectl.run`get services,pods -A --no-headers`);
    expect(rows.map((row) => cells(row).slice(0, 2).join('/'))).toEqual(
      expect.arrayContaining(['harbor/service/pilot', 'harbor/pod/pilot']),
    );
    expect(await kubectl.run`get all -o name`).toContain('deployment.apps/pilot\n');
    expect(await kubectl.run`get pods -n default`).toBe('');
  });

  test('events', async () => {
    expect(await kubectl.run`get events`).toContain('dropped anchor at pier one');
    expect(await kubectl.run`events --for pod/pilot`).toContain('dropped anchor at pier one');
  });

  test('raw paths', async () => {
    expect(await kubectl.run`get --raw /healthz`).toBe('ok');
    expect(JSON.parse(await kubectl.run`get --raw /api/v1/namespaces/harbor/configmaps/page-1`)).toMatchObject({
      data: { number: '1' },
    });
  });

  test('missing objects', async () => {
    expect(await kubectl.fails`get pod nobody`).toBe('Error from server (NotFound): pods "nobody" not found\n');
    expect(await kubectl.run`get pod nobody --ignore-not-found`).toBe('');
    expect(await kubectl.fails`get sirens`).toBe('error: the server doesn\'t have a resource type "sirens"\n');
  });

  describe('describe', () => {
    test.each([
      ['pod', 'pilot', /Name: +pilot\n[\s\S]*Containers:\n {2}pilot:\n[\s\S]*Image: +registry.example\/pilot:1\n/],
      ['deployment', 'pilot', /Replicas: +3 desired[\s\S]*StrategyType: +RollingUpdate\n/],
      ['service', 'pilot', /Selector: +app=pilot\n[\s\S]*TargetPort: +8080\/TCP/],
      ['configmap', 'charts', /heading:\n----\nnorth\n/],
      ['secret', 'registry', /password: +4 bytes/],
      [
        'node',
        'berth-1',
        /Taints: +node.kubernetes.io\/not-ready:NoSchedule\n +harbor.example\/tide=low:PreferNoSchedule/,
      ],
      ['persistentvolume', 'hold', /Capacity: +10Gi/],
      ['statefulset', 'ledger', /Volume Claims:\n {2}Name: +books/],
      ['cronjob', 'tides', /Schedule: +15 \*\/6 \* \* \*/],
      ['job', 'inventory', /Parallelism: +2\nCompletions: +3/],
      ['horizontalpodautoscaler', 'pilot', /Min replicas: +2\nMax replicas: +8/],
      ['namespace', 'harbor', /Status: +Active\n[\s\S]*Resource Quotas/],
      ['resourcequota', 'quota', /Name: +quota/],
    ])('%s %s', async (kind, name, expected) => {
      expect(await kubectl.run`describe ${kind} ${name}`).toMatch(expected);
    });
  });
});
