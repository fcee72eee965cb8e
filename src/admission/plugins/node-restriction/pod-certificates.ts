import { goQuote } from '../../../api/go/go-quote.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import { isReason } from '../../../api/errors/status.ts';
import type { PodCertificateRequest } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { refusal, unexplained } from '../../refusal.ts';
import { mayDo, mirrorAnnotation, type NodeWrite, type NodeWriteContext, storedObject } from './node-write.ts';

type Spec = NonNullable<PodCertificateRequest['spec']>;

/**
 * A node requests certificates for its own pods only. What another server may not have seen yet is answered 500 by the
 * reference, so that kubelets retry.
 */
export async function admitPodCertificateRequest(write: NodeWrite, context: NodeWriteContext): Promise<void> {
  const { attributes, node } = write;
  const { operation, subresource } = attributes;
  if (!context.isOn('PodCertificateRequest'))
    throw refusal(attributes, 'PodCertificateRequest feature gate is disabled');
  if (operation !== 'CREATE') throw refusal(attributes, `unexpected operation ${operation}`);
  if (subresource !== '') throw refusal(attributes, `unexpected subresource ${subresource}`);
  const { spec = {} } = attributes.object as PodCertificateRequest;
  const named = goQuote(spec.nodeName ?? '');
  if (spec.nodeName !== node) {
    const why = `PodCertificateRequest.Spec.NodeName=${named}, which is not the requesting node ${goQuote(node)}`;
    throw refusal(attributes, why);
  }
  await checkNode(write, spec, context);
  const pod = await checkPod(write, spec, context);
  await checkAccount(write, { spec, pod }, context);
  await checkSigner(write, { spec, pod }, context);
}

async function checkNode(write: NodeWrite, spec: Spec, context: NodeWriteContext): Promise<void> {
  const { nodeName: name = '', nodeUID = '' } = spec;
  const { metadata } = await retrieved(context, 'nodes', { namespace: '', name, shown: `node ${goQuote(name)}` });
  const { uid = '' } = metadata;
  if (uid === nodeUID) return;
  const what = `PodCertificateRequest for pod ${podText(write, spec)} names node UID ${goQuote(nodeUID)}`;
  throw unexplained(`${what}, inconsistent with the running node (${goQuote(uid)})`);
}

async function checkPod(write: NodeWrite, spec: Spec, context: NodeWriteContext): Promise<Pod> {
  const { attributes } = write;
  const { podName: name = '', podUID = '', nodeName = '' } = spec;
  const shown = podText(write, spec);
  const at = { namespace: attributes.namespace, name, shown: `pod ${shown}` };
  const pod = (await retrieved(context, 'pods', at)) as Pod;
  const uid = pod.metadata?.uid ?? '';
  if (podUID !== uid) {
    const what = `PodCertificateRequest for pod ${shown} contains pod UID (${goQuote(podUID)})`;
    throw unexplained(`${what} which differs from running pod ${goQuote(uid)}`);
  }
  if (pod.spec?.nodeName !== nodeName) {
    const where = `node ${goQuote(nodeName)} named in the PodCertificateRequest`;
    throw refusal(attributes, `pod ${shown} is not running on ${where}`);
  }
  if (pod.metadata?.annotations?.[mirrorAnnotation] !== undefined)
    throw refusal(attributes, `pod ${shown} is a mirror pod`);
  return pod;
}

interface CertificateRequest {
  readonly spec: Spec;
  readonly pod: Pod;
}

async function checkAccount(
  write: NodeWrite,
  { spec, pod }: CertificateRequest,
  context: NodeWriteContext,
): Promise<void> {
  const { attributes } = write;
  const { namespace } = attributes;
  const { serviceAccountName: name = '', serviceAccountUID = '' } = spec;
  const what = `PodCertificateRequest for pod ${podText(write, spec)}`;
  const own = pod.spec?.serviceAccountName ?? '';
  if (name !== own) {
    const how = `contains serviceAccountName (${goQuote(name)}) that differs from running pod (${goQuote(own)})`;
    throw refusal(attributes, `${what} ${how}`);
  }
  const shown = `service account ${goQuote(`${namespace}/${name}`)}`;
  const { uid = '' } = (await retrieved(context, 'serviceaccounts', { namespace, name, shown })).metadata;
  if (uid === serviceAccountUID) return;
  const how = `names service account UID ${goQuote(serviceAccountUID)}`;
  throw unexplained(`${what} ${how}, which differs from the running service account (${goQuote(uid)})`);
}

async function checkSigner(
  write: NodeWrite,
  { spec, pod }: CertificateRequest,
  context: NodeWriteContext,
): Promise<void> {
  const { attributes } = write;
  const { signerName = '', serviceAccountName: name = '' } = spec;
  const sources = (pod.spec?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ podCertificate }) => podCertificate?.signerName === signerName)) return;
  const verb = 'request-serviceaccounts-podcertificate-signer';
  const requested = { verb, resource: signerName.replaceAll('/', ':'), name };
  const { isAllowed, error } = await mayDo(write, context.authorizer, requested);
  if (isAllowed) return;
  const signer = goQuote(signerName);
  throw refusal(
    attributes,
    error === undefined
      ? `pod ${podText(write, spec)} does not mount a podCertificate projected volume for signer ${signer}`
      : `error authorizing ${attributes.user.name} to request podcertificaterequests for signer ${signer}: ${error}`,
  );
}

function podText({ attributes: { namespace } }: NodeWrite, { podName = '' }: Spec): string {
  return goQuote(`${namespace}/${podName}`);
}

async function retrieved(
  { stored }: NodeWriteContext,
  plural: string,
  { shown, ...at }: { readonly namespace: string; readonly name: string; readonly shown: string },
): Promise<Readonly<KubernetesObject>> {
  try {
    return await storedObject(stored, plural, at);
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    const why = error instanceof Error ? error.message : '';
    throw unexplained(`while retrieving ${shown} named in the PodCertificateRequest: ${why}`);
  }
}
