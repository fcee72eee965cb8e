import type { KubernetesObject } from '../api/meta/object.ts';

/** An object as the generated type of its kind, by whose schema it was decoded. */
export function decodedAs<T>(object: Readonly<KubernetesObject>): T {
  return object as unknown as T;
}
