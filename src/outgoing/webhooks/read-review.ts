import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { isDocumentError, readDocument } from '../../codec/configuration-document.ts';
import { CallError } from '../call-error.ts';

/** A kind of reviews that webhooks answer. */
export interface ReviewForm {
  /** In the version in which webhooks are asked. */
  readonly kind: GroupVersionKind;
  /** Other versions that the client of the reference knows, but does not convert. */
  readonly knownVersions: readonly string[];
  /** Its client knows all built-in kinds. */
  readonly knowsBuiltIn?: boolean;
}

/** Kinds that are known in every group. */
const ungrouped: ReadonlySet<string> = new Set([
  'Status',
  'APIVersions',
  'APIGroupList',
  'APIGroup',
  'APIResourceList',
]);

/**
 * The answer of a webhook, in JSON or YAML, whose kind is optional: by the schema of that kind, and without kind and
 * apiVersion if they are not written. Throws a CallError that has the words of Go's decoders.
 */
export async function readReview(body: Uint8Array, form: ReviewForm): Promise<JsonObject> {
  const { group, version, kind } = form.kind;
  // Loaded for the first answer.
  const { schemaOfAnyKind } = await import('../../schema/kubernetes/unserved-kinds.ts');
  const schema = schemaOfAnyKind(form.kind);
  if (schema === undefined) throw new Error(`unknown kind ${kind}`);
  const foreignError = (claimed: GroupVersionKind): string | undefined => {
    const goType = ungrouped.has(claimed.kind) ? `v1.${claimed.kind}` : knownType(claimed, form, schemaOfAnyKind);
    return goType === undefined ? undefined : `converting (${goType}) to (${version}.${kind}): unknown conversion`;
  };
  const wanted = { kind, versions: [`${group}/${version}`], schema, assumed: form.kind, foreignError };
  try {
    return readDocument(body, wanted).object;
  } catch (error) {
    throw isDocumentError(error) ? new CallError(error.message, { cause: error }) : error;
  }
}

type SchemaOf = (kind: GroupVersionKind) => { readonly goType: string } | undefined;

function knownType(claimed: GroupVersionKind, form: ReviewForm, schemaOf: SchemaOf): string | undefined {
  const { group, kind } = form.kind;
  const isVersion = claimed.group === group && claimed.kind === kind && form.knownVersions.includes(claimed.version);
  if (isVersion) return `${claimed.version}.${kind}`;
  return form.knowsBuiltIn === true ? schemaOf(claimed)?.goType : undefined;
}
