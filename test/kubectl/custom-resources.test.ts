import { expect, test } from 'vitest';
import { describeKubectl } from './kubectl.ts';

const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'buoys.sea.example.com' },
  spec: {
    group: 'sea.example.com',
    scope: 'Namespaced',
    names: { plural: 'buoys', kind: 'Buoy', shortNames: ['bu'], categories: ['floats'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.depth', statusReplicasPath: '.status.depth' } },
        additionalPrinterColumns: [
          { name: 'Color', type: 'string', jsonPath: '.spec.color' },
          { name: 'Lit', type: 'string', jsonPath: '.status.conditions[?(@.type=="Lit")].status' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'Floats where it is anchored.',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  color: { type: 'string', enum: ['red', 'green'], description: 'What ships see.' },
                  depth: { type: 'integer' },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
});

const buoy = (color: string): string =>
  JSON.stringify({
    apiVersion: 'sea.example.com/v1',
    kind: 'Buoy',
    metadata: { name: 'west' },
    spec: { color, depth: 1 },
  });

describeKubectl('shipyard', (kubectl) => {
  test('a definition is applied, waited for, explained, used and deleted', async () => {
    await kubectl.with({ input: definition }).run`apply -f -`;
    expect(await kubectl.run`wait crd/buoys.sea.example.com --for=condition=Established --timeout=10s`).toContain(
      'condition met',
    );
    const explained = await kubectl.run`explain buoys.spec.color`;
    expect(explained).toContain('What ships see.');
    expect(explained).toMatch(/ENUM:\s+red\s+green/);
    await kubectl.with({ input: buoy('red') }).run`apply -f -`;
    const lit = JSON.stringify({ status: { conditions: [{ type: 'Lit', status: 'True' }] } });
    await kubectl.run`patch bu west --subresource=status --type=merge -p ${lit}`;
    expect(await kubectl.run`get floats`).toMatch(/^NAME +COLOR +LIT\nwest +red +True\n$/);
    expect(await kubectl.run`wait bu/west --for=condition=Lit --timeout=10s`).toContain('condition met');
    await kubectl.run`scale bu/west --replicas=4`;
    await kubectl.with({ input: buoy('green') }).run`apply -f -`;
    await kubectl.with({ input: buoy('green') }).run`apply --server-side --force-conflicts -f -`;
    expect(await kubectl.run`get bu west -o jsonpath={.spec}`).toBe('{"color":"green","depth":1}');
    expect(await kubectl.with({ input: buoy('blue') }).fails`apply -f -`).toContain('Unsupported value: "blue"');
    expect(await kubectl.with({ input: buoy('red').replace('depth', 'width') }).fails`create -f -`).toContain(
      'strict decoding error: unknown field "spec.width"',
    );
    await kubectl.run`delete crd buoys.sea.example.com --timeout=20s`;
    expect(await kubectl.fails`get bu`).toMatch(/NotFound|doesn't have a resource type/);
  });
});
