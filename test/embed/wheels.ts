/** A version of the definition of wheels, with one field. */
export function wheelVersion(name: string, field: string, type: string) {
  return {
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { [field]: { type } } } },
  };
}

/** A definition of wheels, whose versions have a size unless told otherwise. */
export function wheelsDefinition(
  scope: 'Cluster' | 'Namespaced',
  versions: readonly object[] = [wheelVersion('v1', 'size', 'integer')],
) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'wheels.example.com' },
    spec: { group: 'example.com', names: { plural: 'wheels', kind: 'Wheel' }, scope, versions },
  };
}
