/** Steps with a response other than the reference's, with the reason. A step that no longer differs fails the test. */
export const knownDifferences: { readonly [step: string]: string } = {
  'admission-classes: empty overhead without a class':
    'Maps without entries are dropped when an object is read; the reference tells an empty overhead from none.',
  'every-kind: flowschemas.v1.flowcontrol.apiserver.k8s.io: get':
    'Priority and fairness is not built: nobody reports a dangling schema.',
  'every-kind: flowschemas.v1.flowcontrol.apiserver.k8s.io: get as table':
    'Priority and fairness is not built: nobody reports a dangling schema.',
  'every-kind: flowschemas.v1.flowcontrol.apiserver.k8s.io: label':
    'Priority and fairness is not built: nobody reports a dangling schema.',
  'every-kind: flowschemas.v1.flowcontrol.apiserver.k8s.io: unknown field':
    'Priority and fairness is not built: nobody reports a dangling schema.',
};
