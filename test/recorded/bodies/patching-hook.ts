import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonOf, startHttpsServer } from '../../https-server.ts';

/** The annotation with the JSON patch that the webhook answers. */
export const patchAnnotation = 'patch';

interface Review {
  readonly request: {
    readonly uid: string;
    readonly object: { readonly metadata: { readonly annotations?: { readonly [name: string]: string } } };
  };
}

/** A mutating webhook that answers the patch which the object asks for. */
export interface PatchingHook extends AsyncDisposable {
  readonly configuration: object;
}

export async function startPatchingHook(): Promise<PatchingHook> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-hook-'));
  const server = await startHttpsServer({ folder }, (request, response) => {
    void jsonOf<Review>(request).then(({ request: { uid, object } }) => {
      const patch = Buffer.from(object.metadata.annotations?.[patchAnnotation] ?? '[]').toString('base64');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid, allowed: true, patchType: 'JSONPatch', patch },
        }),
      );
    });
  });
  const webhook = {
    name: 'patching.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: `${server.url}/`, caBundle: Buffer.from(server.authority).toString('base64') },
    objectSelector: { matchLabels: { patched: 'true' } },
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['meters', 'deployments'] }],
  };
  return {
    configuration: { metadata: { name: 'patching' }, webhooks: [webhook] },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
