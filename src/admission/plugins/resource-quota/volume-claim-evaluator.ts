import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  roundUpQuantity,
} from '../../../api/values/quantity.ts';
import type { PersistentVolumeClaim } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { Evaluator, UsageContext } from './evaluator.ts';

const ofClass = '.storageclass.storage.k8s.io/';
const claimNames = ['persistentvolumeclaims', 'requests.storage'];
/** Where claims named their class before there was a field for it; it counts more than the field. */
const oldClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

export const volumeClaimEvaluator: Evaluator = {
  collection: { group: '', version: 'v1', plural: 'persistentvolumeclaims' },
  /** What is written to the status may be what a claim is charged with. */
  handles: ({ operation, subresource }) =>
    (subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) ||
    (subresource === 'status' && operation === 'UPDATE'),
  counts: (name) =>
    name === 'count/persistentvolumeclaims' ||
    claimNames.includes(name) ||
    claimNames.some((claimName) => name.endsWith(ofClass + claimName)),
  usageOf(object, context) {
    const claim = object as PersistentVolumeClaim; // decoded by the schema of claims
    const storageClass = claim.metadata?.annotations?.[oldClassAnnotation] ?? claim.spec?.storageClassName ?? '';
    const storage = storageOf(claim, context);
    const named: readonly (readonly [string, string])[] = [
      ['persistentvolumeclaims', '1'],
      ...(storage === undefined ? [] : [['requests.storage', storage] as const]),
    ];
    const byClass = named.map(([name, amount]) => [storageClass + ofClass + name, amount] as const);
    const amounts = new Map([
      ...named,
      ['count/persistentvolumeclaims', '1'] as const,
      ...(storageClass === '' ? [] : byClass),
    ]);
    const values = context.isOn('VolumeAttributesClass')
      ? new Map([['VolumeAttributesClass', attributesClassesOf(claim)]])
      : new Map<string, readonly string[]>();
    return { amounts, scopes: { flags: new Set(), values } };
  },
};

/** In whole bytes: what is asked for, or what has been allocated when that is more. */
function storageOf({ spec, status }: PersistentVolumeClaim, { isOn }: Pick<UsageContext, 'isOn'>): string | undefined {
  const requested = spec?.resources?.requests?.['storage'];
  if (requested === undefined) return undefined;
  const wanted = roundUpQuantity(parseQuantity(requested), 0);
  const allocated = isOn('RecoverVolumeExpansionFailure') ? status?.allocatedResources?.['storage'] : undefined;
  return formatQuantity(allocated === undefined ? wanted : larger(wanted, parseQuantity(allocated)));
}

function larger(wanted: Quantity, allocated: Quantity): Quantity {
  return compareQuantities(allocated, wanted) > 0 ? roundUpQuantity(allocated, 0) : wanted;
}

/** The attributes classes that a claim has, had, or is to get. */
function attributesClassesOf({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as readonly string[];
}
