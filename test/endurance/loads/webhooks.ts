import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpsServer, jsonOf, startHttpsServer } from '../../https-server.ts';
import { Asker, type Load } from '../load.ts';

const root = '/apis/admissionregistration.k8s.io/v1';

/** Every configuration has a new name, and every other one another server. */
export const webhooks: Load = {
  name: 'webhooks',
  does: 'start a server, register it as a mutating and a validating webhook beside a policy with a binding, write 20 objects through all of them, some denied, and take them away',
  everyMs: 3_000,
  async start({ server, random }) {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-endurance-hook-'));
    const asker = await Asker.connect(server);
    let count = 0;
    return {
      async step() {
        count += 1;
        await using hook = await startHook(folder);
        const label = `hook-${count}`;
        const paths = await register(asker, hook, label);
        const list = '/api/v1/namespaces/default/configmaps';
        for (let at = 0; at < 20; at += 1) {
          const isDenied = random.chance(0.2);
          const labels = { hook: label, ...(isDenied ? { denied: 'yes' } : {}) };
          const metadata = { name: `${label}-${at}`, labels };
          await asker.ask('POST', list, { body: { metadata, data: { a: 'x'.repeat(500) } }, codes: [201, 400, 422] });
        }
        await asker.delete(`${list}?labelSelector=hook%3D${label}`);
        for (const path of paths) await asker.delete(path);
      },
      async [Symbol.asyncDispose]() {
        asker[Symbol.dispose]();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

interface Review {
  readonly request: { readonly uid: string; readonly object?: { readonly metadata: { readonly labels?: object } } };
}

function startHook(folder: string): Promise<HttpsServer> {
  return startHttpsServer({ folder }, (request, response) => {
    void (async () => {
      const { request: asked } = await jsonOf<Review>(request);
      const allowed = !('denied' in (asked.object?.metadata.labels ?? {}));
      const patch = Buffer.from('[{"op":"add","path":"/metadata/labels/mutated","value":"yes"}]').toString('base64');
      const change = request.url === '/mutate' && allowed ? { patchType: 'JSONPatch', patch } : {};
      response.setHeader('content-type', 'application/json');
      const answer = { uid: asked.uid, allowed, ...change };
      response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
    })();
  });
}

/** The paths of what was made. */
async function register(asker: Asker, hook: HttpsServer, label: string): Promise<readonly string[]> {
  const matched = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const objectSelector = { matchLabels: { hook: label } };
  const webhook = (path: string): object => ({
    name: `${label}.example.com`,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    rules: [matched],
    objectSelector,
    timeoutSeconds: 10,
    failurePolicy: 'Fail',
    clientConfig: { url: hook.url + path, caBundle: Buffer.from(hook.authority).toString('base64') },
  });
  const metadata = { name: label };
  const objects: readonly (readonly [string, object])[] = [
    ['mutatingwebhookconfigurations', { metadata, webhooks: [webhook('/mutate')] }],
    ['validatingwebhookconfigurations', { metadata, webhooks: [webhook('/validate')] }],
    [
      'validatingadmissionpolicies',
      {
        metadata,
        spec: {
          matchConstraints: { resourceRules: [matched], objectSelector },
          validations: [{ expression: `object.metadata.name.startsWith('${label}')` }],
        },
      },
    ],
    [
      'validatingadmissionpolicybindings',
      { metadata, spec: { policyName: label, validationActions: ['Deny', 'Audit'] } },
    ],
  ];
  for (const [plural, body] of objects) await asker.create(`${root}/${plural}`, body);
  return objects.map(([plural]) => `${root}/${plural}/${label}`);
}
