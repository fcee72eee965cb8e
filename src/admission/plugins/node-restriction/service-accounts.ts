import { joinedErrors } from '../../../api/text/error-texts.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { StatusError } from '../../../api/errors/status.ts';
import { notFound } from '../../../api/errors/status-errors.ts';
import type { StoredObjects } from '../../../api/contracts/stored-objects.ts';
import type { TokenRequest } from '../../../schema/kubernetes/generated/types/authentication-v1.ts';
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Volume,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { CSIDriver } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { claimOfVolume } from '../../../schema/kubernetes/pod-references.ts';
import { refusal } from '../../refusal.ts';
import { mayDo, type NodeWrite, type NodeWriteContext, storedObject } from './node-write.ts';

/** A node requests tokens for its own pods only, and only for the service accounts that they use. */
export async function admitTokenRequest(write: NodeWrite, context: NodeWriteContext): Promise<void> {
  const { attributes, node } = write;
  const { operation, subresource, namespace } = attributes;
  if (operation !== 'CREATE' || subresource !== 'token') return;
  const { spec = {} } = attributes.object as TokenRequest;
  const { apiVersion, kind, name = '', uid = '' } = spec.boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '')
    throw refusal(attributes, 'node requested token not bound to a pod');
  if (uid === '') throw refusal(attributes, 'node requested token with a pod binding without a uid');
  const pod = (await storedObject(context.stored, 'pods', { namespace, name })) as Pod;
  if (uid !== pod.metadata?.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record`;
    throw refusal(attributes, `${why}. The object might have been deleted and then recreated`);
  }
  if (pod.spec?.nodeName !== node)
    throw refusal(attributes, 'node requested token bound to a pod scheduled on a different node');
  if (!context.isOn('ServiceAccountNodeAudienceRestriction')) return;
  const problem = await audienceProblem(write, pod, context);
  if (problem !== undefined) throw refusal(attributes, problem);
}

async function audienceProblem(write: NodeWrite, pod: Pod, context: NodeWriteContext): Promise<string | undefined> {
  const { attributes } = write;
  const { audiences = [] } = (attributes.object as TokenRequest).spec ?? {};
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const [audience = ''] = audiences;
  const { isFound, errors } = await findAudience(pod, audience, context.stored);
  if (isFound) return undefined;
  if (errors.length > 0) return `error validating audience ${goQuote(audience)}: ${joinedErrors(errors)}`;
  const verb = 'request-serviceaccounts-token-audience';
  const requested = { verb, resource: audience, name: attributes.name };
  const { isAllowed, error } = await mayDo(write, context.authorizer, requested);
  if (isAllowed) return undefined;
  const who = attributes.user.name;
  if (error !== undefined)
    return `error authorizing ${who} to request tokens for audience ${goQuote(audience)}: ${error}`;
  return `${who} is not authorized to request tokens for audience ${goQuote(audience)}`;
}

/** The audience must be one that a projected volume or a CSI driver of the pod requests. */
async function findAudience(pod: Pod, audience: string, stored: StoredObjects) {
  const errors: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const tokens = (volume.projected?.sources ?? []).flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []);
    if (tokens.some((token) => (token.audience ?? '') === audience)) return { isFound: true, errors: [] };
    try {
      const driver = await driverOf(pod, volume, stored);
      if (driver !== '' && (await audiencesOf(driver, stored)).includes(audience)) return { isFound: true, errors: [] };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      errors.push(error.message);
    }
  }
  return { isFound: false, errors };
}

async function driverOf(pod: Pod, volume: Volume, stored: StoredObjects): Promise<string> {
  const claim = claimOfVolume(pod, volume);
  if (claim === undefined) return volume.csi?.driver ?? migratedDriver(volume);
  const namespace = pod.metadata?.namespace ?? '';
  const { spec: bound = {} } = (await storedObject(stored, 'persistentvolumeclaims', {
    namespace,
    name: claim,
  })) as PersistentVolumeClaim;
  const at = { namespace: '', name: bound.volumeName ?? '' };
  const { spec = {} } = (await storedObject(stored, 'persistentvolumes', at)) as PersistentVolume;
  return spec.csi?.driver ?? migratedDriver(spec);
}

/** CSI drivers that replaced in-tree volume plugins. */
const migratedDrivers: readonly (readonly [source: keyof Volume, driver: string])[] = [
  ['awsElasticBlockStore', 'ebs.csi.aws.com'],
  ['azureDisk', 'disk.csi.azure.com'],
  ['azureFile', 'file.csi.azure.com'],
  ['cinder', 'cinder.csi.openstack.org'],
  ['gcePersistentDisk', 'pd.csi.storage.gke.io'],
  ['portworxVolume', 'pxd.portworx.com'],
  ['vsphereVolume', 'csi.vsphere.vmware.com'],
];

function migratedDriver(source: object): string {
  return migratedDrivers.find(([name]) => Object.hasOwn(source, name))?.[1] ?? '';
}

async function audiencesOf(name: string, stored: StoredObjects): Promise<readonly string[]> {
  const collection = { group: 'storage.k8s.io', version: 'v1', plural: 'csidrivers' };
  const driver = (await stored.get(collection, { namespace: '', name })) as CSIDriver | undefined;
  if (driver === undefined) throw notFound({ group: 'storage.k8s.io', resource: 'csidriver' }, name);
  return (driver.spec?.tokenRequests ?? []).map(({ audience = '' }) => audience);
}
