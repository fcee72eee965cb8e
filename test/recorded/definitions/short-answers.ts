import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts';

/* Answers about custom resources without what varies from run to run, as recordings of plays have them. */

/** What recordings show of an object besides its code and its owners. */
export type ShownField =
  | 'kind'
  | 'apiVersion'
  | 'generation'
  | 'labels'
  | 'annotations'
  | 'finalizers'
  | 'isHeld'
  | 'spec'
  | 'status';

export interface ShownParts {
  readonly object: readonly ShownField[];
  /** Shows the details of a status besides its reason and message. */
  readonly details?: true;
}

const varying =
  /(version: |current: |revision=|127\.0\.0\.1:)[1-9]\d*|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:]+Z/g;

export function shortResponse(code: number, body: JsonObject, shown: ShownParts): JsonValue {
  return invariable(body['kind'] === 'Status' ? statusOf(code, body, shown) : { code, ...objectOf(body, shown) });
}

/** Numbers of versions, uids and times are replaced. */
export function invariable(value: object): JsonValue {
  const text = JSON.stringify(value).replaceAll(varying, (_, start: string | undefined) => `${start ?? ''}N`);
  return JSON.parse(text) as JsonValue;
}

function statusOf(
  code: number,
  { reason = '', message = '', details = null }: JsonObject,
  { details: isDetailed }: ShownParts,
): object {
  // The reference lists what is wrong in any order.
  const [head, ...problems] = (typeof message === 'string' ? message : '').split('\n');
  const text = [head, ...problems.toSorted()].join('\n');
  return { code, reason, message: text, ...(isDetailed === undefined ? {} : { details }) };
}

export function objectOf(body: JsonObject, { object: fields }: Pick<ShownParts, 'object'>): object {
  // Answers of the API.
  const metadata = (body['metadata'] ?? {}) as JsonObject & { managedFields?: JsonObject[] };
  const { managedFields = [] } = metadata;
  const owners = managedFields.map(({ manager, operation, apiVersion, fieldsV1, subresource }) =>
    JSON.stringify([manager, operation, apiVersion, subresource, fieldsV1]),
  );
  const valueOf = (field: ShownField): JsonValue => {
    if (field === 'isHeld') return JSON.stringify(metadata).includes('deletionTimestamp');
    return (ofMetadata.has(field) ? metadata[field] : body[field]) ?? null;
  };
  return { ...Object.fromEntries(fields.map((field) => [field, valueOf(field)])), owners: owners.toSorted() };
}

const ofMetadata: ReadonlySet<ShownField> = new Set(['generation', 'labels', 'annotations', 'finalizers']);
