import type { KubernetesObject } from '../api/meta/object.ts';
import type * as extensions from '../schema/kubernetes/generated/types/apiextensions-v1.ts';

/** A stored, validated definition: its spec is always set, unlike in the generated type. */
export type Definition = KubernetesObject & {
  readonly spec: extensions.CustomResourceDefinitionSpec;
  readonly status?: extensions.CustomResourceDefinitionStatus;
};
export type DefinitionVersion = extensions.CustomResourceDefinitionVersion;
export type Names = extensions.CustomResourceDefinitionNames;
export type Condition = extensions.CustomResourceDefinitionCondition;
export type Column = extensions.CustomResourceColumnDefinition;

/** JSON of the `openAPIV3Schema` of versions, by their names. */
export type SchemaTexts = ReadonlyMap<string, string>;

/** A definition whose schemas are text: few of them are ever read. */
export interface KeptDefinition {
  /** Without its schemas, and without what no condition depends on. */
  readonly definition: Definition;
  readonly schemas: SchemaTexts;
}

export type ConditionType =
  | 'NamesAccepted'
  | 'Established'
  | 'Terminating'
  | 'NonStructuralSchema'
  | 'KubernetesAPIApprovalPolicyConformant';

/** Keeps a definition until its instances are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export const definitions = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
} as const;

/** Definitions are decoded by their schema. */
export function definitionOf(object: Readonly<KubernetesObject>): Definition {
  return object as Definition;
}

export function conditionOf({ status }: Pick<Definition, 'status'>, type: ConditionType): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isTrue(definition: Pick<Definition, 'status'>, type: ConditionType): boolean {
  return conditionOf(definition, type)?.status === 'True';
}
