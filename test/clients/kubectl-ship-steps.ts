import { type KubectlStep, playKubectl } from './kubectl-steps.ts';
import type { Server, Steps } from './program.ts';

const ship = (version: string, name: string, spec: string): string => `
apiVersion: harbor.example.com/${version}
kind: Ship
metadata: {name: ${name}}
spec: {${spec}}
`;

const steps: readonly KubectlStep[] = [
  { title: 'wait for the definition', words: 'wait crd/ships.harbor.example.com --for=condition=Established' },
  { title: 'kinds', words: 'api-resources --api-group=harbor.example.com' },
  { title: 'apply', words: 'apply -f -', input: ship('v1', 'ada', 'name: Ada') },
  { title: 'apply the same', words: 'apply -f -', input: ship('v1', 'ada', 'name: Ada') },
  { title: 'apply another version', words: 'apply -f -', input: ship('v2', 'ada', 'title: Adele') },
  { title: 'apply on the server', words: 'apply --server-side -f -', input: ship('v2', 'bea', 'title: Bea') },
  {
    title: 'apply against another manager',
    words: 'apply --server-side --field-manager other -f -',
    input: ship('v1', 'bea', 'name: Beatrice'),
  },
  { title: 'diff', words: 'diff -f -', input: ship('v2', 'ada', 'title: Adelheid') },
  { title: 'diff on the server', words: 'diff --server-side -f -', input: ship('v2', 'bea', 'title: Beate') },
  { title: 'diff of nothing', words: 'diff -f -', input: ship('v2', 'ada', 'title: Adele') },
  { title: 'get', words: 'get ships --no-headers=false -o custom-columns=NAME:.metadata.name,SPEC:.spec' },
  { title: 'get with columns', words: 'get ships.v1.harbor.example.com' },
  { title: 'get columns of another version', words: 'get ships.v2.harbor.example.com' },
  { title: 'edit', words: 'edit ship ada' },
  { title: 'edit another version', words: 'edit ships.v1.harbor.example.com bea' },
  { title: 'wait for a value', words: 'wait ship/ada --for=jsonpath={.spec.title}=Edited --timeout=5s' },
  { title: 'patch', words: 'patch ship ada --type=merge -p {"spec":{"title":"Ada"}}' },
  { title: 'patch strategically', words: 'patch ship ada --type=strategic -p {"spec":{"title":"Ada"}}' },
  { title: 'label', words: 'label ships --all harbor=north' },
  { title: 'apply an unknown field', words: 'apply -f -', input: ship('v1', 'cas', 'name: Cas, depth: 3') },
  // The reference publishes a while after it serves.
  { title: 'explain', words: 'explain ships.spec --api-version=harbor.example.com/v1' },
  { title: 'explain another version', words: 'explain ships.spec --api-version=harbor.example.com/v2 --recursive' },
  { title: 'delete', words: 'delete ship ada bea' },
];

/** kubectl with custom resources of two versions. */
export function kubectlShipSteps(server: Server, namespace: string): Promise<Steps> {
  return playKubectl(server, namespace, {
    steps,
    paths: [`/apis/harbor.example.com/v1/namespaces/${namespace}/ships`],
    edits: 's/\\(title\\|name\\): \\(Adele\\|Bea\\)$/\\1: Edited/',
  });
}
