import { isDeepStrictEqual } from 'node:util';
import type { AdmissionAttributes, AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { CertificateSigningRequest } from '../../schema/kubernetes/generated/types/certificates-v1.ts';
import type { ClusterTrustBundle } from '../../schema/kubernetes/generated/types/certificates-v1beta1.ts';
import type { PluginContext } from '../plugin-context.ts';
import { requireSigner } from './parts/signer-permission.ts';

const group = 'certificates.k8s.io';

function isOf({ group: own, resource, subresource }: AdmissionAttributes, plural: string, part: string): boolean {
  return own === group && resource === plural && subresource === part;
}

/** Requests for certificates are approved by those who may approve them for their signer. */
export function certificateApproval({ authorizer }: Pick<PluginContext, 'authorizer'>): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    operations: new Set(['UPDATE']),
    validate(attributes) {
      if (!isOf(attributes, 'certificatesigningrequests', 'approval')) return;
      // Decoded by the schema of the resource. The old object counts: a request cannot choose its signer anew.
      const { spec } = attributes.oldObject as CertificateSigningRequest;
      const what = 'approve requests with signerName';
      return requireSigner(attributes, authorizer, { verb: 'approve', signer: spec?.signerName ?? '', what });
    },
  };
}

/** Certificates are given by those who may sign for the signer. */
export function certificateSigning({ authorizer }: Pick<PluginContext, 'authorizer'>): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    operations: new Set(['UPDATE']),
    validate(attributes) {
      if (!isOf(attributes, 'certificatesigningrequests', 'status')) return;
      // Objects are decoded by the schema of their resource.
      const { spec, status: before } = attributes.oldObject as CertificateSigningRequest;
      const { status } = attributes.object as CertificateSigningRequest;
      const isSame =
        status?.certificate === before?.certificate &&
        isDeepStrictEqual(status?.conditions ?? [], before?.conditions ?? []);
      if (isSame) return;
      const what = 'sign requests with signerName';
      return requireSigner(attributes, authorizer, { verb: 'sign', signer: spec?.signerName ?? '', what });
    },
  };
}

/** Trust in a signer is declared by those who may attest for it. */
export function clusterTrustBundleAttest({
  authorizer,
  featureGates,
}: Pick<PluginContext, 'authorizer' | 'featureGates'>): AdmissionPlugin {
  const isOn = featureGates.get('ClusterTrustBundle') === true;
  return {
    name: 'ClusterTrustBundleAttest',
    operations: new Set(['CREATE', 'UPDATE']),
    validate(attributes) {
      const { object, oldObject } = attributes;
      if (!isOn || attributes.group !== group || attributes.resource !== 'clustertrustbundles' || object === undefined)
        return;
      // Objects are decoded by the schema of their resource.
      const signer = (object as ClusterTrustBundle).spec?.signerName ?? '';
      if (signer === '' || (oldObject !== undefined && keepsMeaning(object, oldObject))) return;
      return requireSigner(attributes, authorizer, { verb: 'attest', signer, what: 'attest for signerName' });
    },
  };
}

/** Whether an update is the work of a garbage collector, or nothing at all. */
function keepsMeaning(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): boolean {
  return isDeepStrictEqual(meaningOf(object), meaningOf(old));
}

function meaningOf({ metadata, ...rest }: Readonly<KubernetesObject>): unknown {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managed, ...others } = metadata;
  return { ...rest, metadata: { ...others, resourceVersion: undefined, generation: undefined } };
}
