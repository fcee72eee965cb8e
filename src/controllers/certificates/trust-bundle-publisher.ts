import { createHash, X509Certificate } from 'node:crypto';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { isReason } from '../../api/errors/status.ts';
import { pemBlocks } from '../../codec/x509/pem.ts';
import type { ClusterTrustBundle } from '../../schema/kubernetes/generated/types/certificates-v1.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';

const group = 'certificates.k8s.io';
const resource = 'clustertrustbundles';
const signer = 'kubernetes.io/kube-apiserver-serving';

type StoredBundle = KubernetesObject & ClusterTrustBundle;

/** Whether a ClusterTrustBundle may contain them: the certificate of `--tls-cert-file` alone vouches for no other. */
export function areAuthorities(pem: string): boolean {
  const blocks = pemBlocks(pem);
  return blocks.length > 0 && blocks.every(({ bytes }) => new X509Certificate(bytes).ca);
}

/**
 * Maintains one ClusterTrustBundle with the CA by which pods trust the server, and deletes its signer's others. Does
 * nothing if no CA is known.
 */
export function trustBundlePublisher(context: ControllerContext): AsyncDisposable {
  const { client, rootCa } = context;
  const loop = new ControlLoop(context, publish, { queue: 'ca_cert_publisher_cluster_trust_bundles' });
  const served = client.resources().find((each) => each.group === group && each.resource === resource);
  if (served === undefined || !areAuthorities(rootCa)) return loop;
  const { version } = served;
  const collection = { group, version, resource, namespace: '' };
  const wanted = `${signer.replaceAll('/', ':')}:${createHash('sha256').update(rootCa).digest('hex').slice(0, 24)}`;
  const bundles = loop.follow(collection, {
    keep: (object) => {
      const bundle = object as StoredBundle; // decoded by its schema
      return bundle.spec?.signerName === signer ? bundle : undefined;
    },
    changed: () => loop.queue.add(wanted),
  });
  loop.queue.add(wanted);
  return loop;

  async function publish(): Promise<void> {
    const bundle = bundles.get('', wanted);
    const spec = { signerName: signer, trustBundle: rootCa };
    if (bundle === undefined) {
      const metadata = { name: wanted };
      await client.create(collection, {
        apiVersion: `${group}/${version}`,
        kind: 'ClusterTrustBundle',
        metadata,
        spec,
      });
    } else if (bundle.spec?.trustBundle !== rootCa) await client.update(collection, { ...bundle, spec });
    for (const name of bundles.within('').keys()) if (name !== wanted) await remove(name);
  }

  async function remove(name: string): Promise<void> {
    try {
      await client.delete({ ...collection, name });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}
