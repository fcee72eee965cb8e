import { authorizerTypes } from '../libraries/authorizer.ts';
import { type CelType, listType, mapType, structType, types } from '../types/cel-type.ts';
import type { Environment } from './environment.ts';
import type { StructDeclaration } from './type-registry.ts';

const { bool, dyn, int, string, timestamp } = types;
const texts = listType(string);
const textMap = mapType(string, string);

function struct(name: string, fields: { readonly [name: string]: CelType }): StructDeclaration {
  return { name: `kubernetes.${name}`, fields: new Map(Object.entries(fields)) };
}

const typeOf = (name: string): CelType => structType(`kubernetes.${name}`);

/** The types of the variables `request` and `namespaceObject`. */
const structs: readonly StructDeclaration[] = [
  struct('GroupVersionKind', { group: string, version: string, kind: string }),
  struct('GroupVersionResource', { group: string, version: string, resource: string }),
  struct('UserInfo', { username: string, uid: string, groups: texts, extra: mapType(string, texts) }),
  struct('AdmissionRequest', {
    kind: typeOf('GroupVersionKind'),
    resource: typeOf('GroupVersionResource'),
    subResource: string,
    requestKind: typeOf('GroupVersionKind'),
    requestResource: typeOf('GroupVersionResource'),
    requestSubResource: string,
    name: string,
    namespace: string,
    operation: string,
    userInfo: typeOf('UserInfo'),
    dryRun: bool,
    options: dyn,
  }),
  struct('Namespace', {
    metadata: typeOf('NamespaceMetadata'),
    spec: typeOf('NamespaceSpec'),
    status: typeOf('NamespaceStatus'),
  }),
  struct('NamespaceMetadata', {
    name: string,
    generateName: string,
    namespace: string,
    labels: textMap,
    annotations: textMap,
    UID: string,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: string,
    finalizers: texts,
  }),
  struct('NamespaceSpec', { finalizers: texts }),
  struct('NamespaceStatus', { conditions: listType(typeOf('NamespaceCondition')), phase: string }),
  struct('NamespaceCondition', {
    status: string,
    type: string,
    lastTransitionTime: timestamp,
    message: string,
    reason: string,
  }),
];

export interface AdmissionVariables {
  /** The variable `params` of policies. */
  readonly params?: boolean;
  /** The variable `authorizer`, unless false. */
  readonly authorizer?: boolean;
}

/** An environment with the variables of admission: match conditions of webhooks, and policies. */
export function admissionEnvironment(
  base: Environment,
  { params = false, authorizer = true }: AdmissionVariables = {},
): Environment {
  const variables: (readonly [string, CelType])[] = [
    ['object', dyn],
    ['oldObject', dyn],
    ['namespaceObject', typeOf('Namespace')],
    ['request', typeOf('AdmissionRequest')],
  ];
  if (authorizer) {
    variables.push(['authorizer', authorizerTypes.authorizer]);
    variables.push(['authorizer.requestResource', authorizerTypes.resourceCheck]);
  }
  if (params) variables.push(['params', dyn]);
  return base.with(variables, structs);
}
