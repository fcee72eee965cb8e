import { type BodyCase, paths } from '../case.ts';

/** An object with HTML special characters, in every representation. */
const accepts: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/yaml;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
];

const targets: readonly string[] = [
  '/base?',
  '/base?pretty=1',
  '/base?includeObject=Object',
  '?fieldSelector=metadata.name%3Dbase',
  '?fieldSelector=metadata.name%3Dbase&pretty=1',
  '?fieldSelector=metadata.name%3Dbase&watch=1&timeoutSeconds=1',
  '/%3Cx%26%3E%E2%80%A8?',
  '?labelSelector=%3C%26',
];

export const escapedResponses: readonly BodyCase[] = targets.flatMap((target) =>
  accepts.map((accept) => ({
    name: `GET configmaps${target} as ${accept}`,
    method: 'GET' as const,
    path: `${paths.configmap}${target}`,
    bytes: Buffer.alloc(0),
    contentType: 'application/json',
    accept,
  })),
);
