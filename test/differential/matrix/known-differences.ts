const partialList =
  'The reference ends the stream at the first event, which is no list; here it is sent as a partial object.';
const internalReplicas =
  'The reference writes what its internal object cannot leave out; of a bookmark clients read the metadata alone.';

/** Cells that are answered differently from the reference, each with the reason. One that no longer differs fails the test. */
export const knownDifferences: { readonly [cell: string]: string } = {
  'PartialObjectMetadataList of v1, streamed': partialList,
  'PartialObjectMetadataList of v1beta1, streamed': partialList,
  'changes as PartialObjectMetadataList of v1': partialList,
  'changes as PartialObjectMetadataList of v1beta1': partialList,
  'bookmark of /apis/apps/v1/daemonsets': internalReplicas,
  'bookmark of /apis/apps/v1/deployments': internalReplicas,
  'bookmark of /apis/apps/v1/replicasets': internalReplicas,
  'bookmark of /apis/apps/v1/statefulsets': internalReplicas,
};
