import { documentOf, groupTag, groupWord, versionWord } from './group-words.ts';
import { type PathOperation, type PathEntry, textBody, unauthorized } from './operation.ts';
import { objectTypes } from './resource-paths.ts';

const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const json = ['application/json'];
const discoveryTypes = { consumes: objectTypes, produces: objectTypes };

function entry(
  document: string,
  operation: Pick<PathOperation, 'tag' | 'description' | 'operationId'> & TextResponse,
): PathEntry {
  const { definition, ...listed } = operation;
  return {
    path: `/${document}/`,
    document,
    operations: [
      {
        method: 'get',
        parameters: [],
        ...listed,
        responses: [{ code: 200, description: 'OK', definition }, unauthorized],
      },
    ],
  };
}

interface TextResponse {
  readonly definition: string;
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
}

/** Discovery of a group version's resources. */
export function versionPath(group: string, version: string): PathEntry {
  return entry(documentOf(group, version), {
    tag: groupTag(group, version),
    description: 'Lists the resources of this version.',
    operationId: `get${groupWord(group)}${versionWord(version)}APIResources`,
    definition: `${metaPackage}.APIResourceList`,
    ...discoveryTypes,
  });
}

/** Discovery of a group's versions. */
export function groupPath(group: string): PathEntry {
  if (group === '') return corePath;
  return entry(documentOf(group), {
    tag: groupTag(group),
    description: 'Lists the versions of this group.',
    operationId: `get${groupWord(group)}APIGroup`,
    definition: `${metaPackage}.APIGroup`,
    ...discoveryTypes,
  });
}

const corePath = entry('api', {
  tag: 'core',
  description: 'Lists the versions of the core group.',
  operationId: 'getCoreAPIVersions',
  definition: `${metaPackage}.APIVersions`,
  ...discoveryTypes,
});

/** Discovery of the groups. */
export const groupsPath = entry('apis', {
  tag: 'apis',
  description: 'Lists the groups.',
  operationId: 'getAPIVersions',
  definition: `${metaPackage}.APIGroupList`,
  ...discoveryTypes,
});

/** Paths that are independent of what is served. */
export const fixedPaths: readonly PathEntry[] = [
  entry('version', {
    tag: 'version',
    description: 'Tells the version of this server.',
    operationId: 'getCodeVersion',
    definition: 'io.k8s.apimachinery.pkg.version.Info',
    consumes: json,
    produces: json,
  }),
  entry('.well-known/openid-configuration', {
    tag: 'WellKnown',
    description: 'The discovery document of the issuer of service account tokens.',
    operationId: 'getServiceAccountIssuerOpenIDConfiguration',
    definition: textBody,
    produces: json,
  }),
  entry('openid/v1/jwks', {
    tag: 'openid',
    description: 'The public keys that service account tokens are verified with.',
    operationId: 'getServiceAccountIssuerOpenIDKeyset',
    definition: textBody,
    produces: ['application/jwk-set+json'],
  }),
];
