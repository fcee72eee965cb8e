import { describe, expect, test } from 'vitest';
import { describeKubectl } from './kubectl.ts';

describeKubectl('yard', (kubectl) => {
  /** Every generator of `kubectl create` and its output. */
  const generators: readonly (readonly [string, string])[] = [
    ['namespace shed', 'namespace/shed created'],
    ['configmap rope --from-literal=length=12', 'configmap/rope created'],
    ['secret generic lock --from-literal=code=1234', 'secret/lock created'],
    [
      'secret docker-registry hub --docker-server=registry.example --docker-username=d --docker-password=p',
      'secret/hub created',
    ],
    ['serviceaccount dora', 'serviceaccount/dora created'],
    ['token dora', ''],
    ['deployment crane --image=registry.example/crane:1 --replicas=2 --port=8080', 'deployment.apps/crane created'],
    ['service clusterip crane --tcp=80:8080', 'service/crane created'],
    ['service nodeport gate --tcp=80:8080', 'service/gate created'],
    ['service loadbalancer bridge --tcp=443:8443', 'service/bridge created'],
    ['service externalname elsewhere --external-name=elsewhere.example', 'service/elsewhere created'],
    ['job paint --image=registry.example/paint:1 -- paint --all', 'job.batch/paint created'],
    [
      'cronjob sweep --image=registry.example/sweep:1 --schedule=5\u00a04\u00a0*\u00a0*\u00a0* -- sweep',
      'cronjob.batch/sweep created',
    ],
    ['job sweep-now --from=cronjob/sweep', 'job.batch/sweep-now created'],
    ['role reader --verb=get,list --resource=pods,deployments.apps', 'role.rbac.authorization.k8s.io/reader created'],
    [
      'rolebinding reader --role=reader --user=dora --serviceaccount=yard:dora',
      'rolebinding.rbac.authorization.k8s.io/reader created',
    ],
    ['clusterrole viewer --verb=get --resource=nodes', 'clusterrole.rbac.authorization.k8s.io/viewer created'],
    [
      'clusterrolebinding viewer --clusterrole=viewer --group=crew',
      'clusterrolebinding.rbac.authorization.k8s.io/viewer created',
    ],
    ['ingress crane --class=gate --rule=crane.example/path*=crane:80', 'ingress.networking.k8s.io/crane created'],
    ['poddisruptionbudget crane --selector=app=crane --min-available=1', 'poddisruptionbudget.policy/crane created'],
    ['priorityclass heavy --value=1000', 'priorityclass.scheduling.k8s.io/heavy created'],
    ['quota small --hard=pods=10,services=2', 'resourcequota/small created'],
  ];

  describe('create', () => {
    // Not implemented yet: generators without expected output.
    const built = generators.filter(([, output]) => output !== '');
    test.each(built)('%s', async (command, output) => {
      // A no-break space stands for a space within an argument.
      const words = command.split(' ').map((word) => word.replaceAll('\u00a0', ' '));
      expect(await kubectl.words(['create', ...words])).toBe(`${output}\n`);
    });

    test('created objects are defaulted', async () => {
      expect(
        await kubectl.run`get deployment crane -o ${'jsonpath={.spec.strategy.type} {.spec.replicas} {.spec.template.spec.restartPolicy}'}`,
      ).toBe('RollingUpdate 2 Always');
      expect(await kubectl.run`get service gate -o ${'jsonpath={.spec.type} {.spec.sessionAffinity}'}`).toBe(
        'NodePort None',
      );
      expect(await kubectl.run`get secret lock -o ${'jsonpath={.type} {.data.code}'}`).toBe('Opaque MTIzNA==');
    });
  });

  test('run', async () => {
    expect(await kubectl.run`run winch --image=registry.example/winch:1 --dry-run=server`).toBe(
      'pod/winch created (server dry run)\n',
    );
    expect(await kubectl.fails`get pod winch`).toContain('NotFound');
    expect(await kubectl.run`run winch --image=registry.example/winch:1 --labels=app=winch --port=80`).toBe(
      'pod/winch created\n',
    );
    expect(await kubectl.run`get pod winch -o jsonpath={.metadata.labels.app}`).toBe('winch');
  });

  test('generateName', async () => {
    const input = '{apiVersion: v1, kind: ConfigMap, metadata: {generateName: knot-}}';
    expect(await kubectl.with({ input }).run`create -f -`).toMatch(/^configmap\/knot-[a-z0-9]{5} created\n$/);
  });

  test('invalid objects are refused with the reasons', async () => {
    expect(await kubectl.fails`create configmap Upper`).toContain('a lowercase RFC 1123 subdomain must consist of');
    const input = '{apiVersion: v1, kind: Pod, metadata: {name: empty}, spec: {containers: []}}';
    expect(await kubectl.with({ input }).fails`create -f -`).toContain('spec.containers: Required value');
    expect(await kubectl.fails`create configmap lost -n nowhere`).toBe(
      'error: failed to create configmap: namespaces "nowhere" not found\n',
    );
  });
});
