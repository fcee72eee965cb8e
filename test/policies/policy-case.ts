import type { JsonObject } from '../../src/api/json/json.ts';
import type { CaseObject } from '../case-objects.ts';

export interface CaseStep {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET';
  /** After the namespace of the case: `configmaps`. With a slash in front: the whole path. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly contentType?: string;
  /** Waits until the server has noticed the change of the step. */
  readonly settles?: true;
}

/**
 * Policies with bindings, and writes that they are about. `NS` is the namespace of the case, wherever it occurs, and
 * `CASE` what is unique to it. Policies and bindings match writes of ConfigMaps in the namespace of the case, unless
 * they say otherwise.
 */
export interface PolicyCase {
  readonly name: string;
  /** Made before the policies, each at the path of its collection. */
  readonly objects?: readonly CaseObject[];
  /** `spec` of the policies. */
  readonly policies: readonly JsonObject[];
  /** `spec` of the bindings, for the policies with the same index unless they name one; absent: one each. */
  readonly bindings?: readonly JsonObject[];
  readonly steps: readonly CaseStep[];
}
