import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { currentSpan } from '../../api/contracts/span.ts';
import { auditBody } from './audited-body.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import { decodeBody, decodeOptionsBody, parseBody, type ExpectedKind } from '../../codec/decode-body.ts';
import { BodySyntaxError, type Serializer } from '../../codec/serializer.ts';
import { claimedSchema } from '../../operations/kinds.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import { schemaByName } from '../../schema/kubernetes/definitions.ts';
import { negotiateInput } from '../negotiation/negotiate.ts';
import { readInput } from './read-input.ts';
import type { RequestContext } from './request-context.ts';
import type { WriteParameters } from './request-options.ts';
import type { ResourceRequest } from './resource-request.ts';
import { type ServedKind, unconvertibleIn } from '../../operations/resource-scope.ts';

/** A decoded body and the options of the write. */
export interface DecodedRequest {
  readonly object: KubernetesObject;
  readonly options: WriteParameters;
}

/**
 * Reads and decodes the body of a create or update as `served`; `readOptions` runs where the reference parses options.
 */
export async function decodeRequest(
  request: ResourceRequest,
  served: ServedKind & ExpectedKind,
  readOptions: () => WriteParameters,
): Promise<DecodedRequest> {
  const { context } = request;
  const serializer = inputSerializer(context);
  const bytes = await context.readBody();
  const options = readOptions();
  currentSpan()?.event('About to convert to expected version');
  const { scope } = request;
  const unconvertible = unconvertibleIn(scope, served.schema);
  const body = {
    bytes,
    serializer,
    expected: served,
    fieldValidation: options.fieldValidation,
    warn: (text: string) => context.warnings.add(text),
    ...(unconvertible === undefined ? {} : { unconvertible }),
  };
  const parsed = readInput(() => parseBody(body));
  const { kind } = parsed;
  const schema = isSameKind(kind, served) ? served.schema : await claimedSchema(context.kinds, scope.resource, kind);
  const { object } = readInput(() => decodeBody(body, parsed, schema));
  currentSpan()?.event('Conversion done');
  context.step('Conversion done');
  // Decoded by the schema of a kind: kind, apiVersion and metadata are there.
  const decoded = object as KubernetesObject;
  if (context.audit !== undefined) await auditBody(request, decoded, served);
  return { object: decoded, options };
}

function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}

function inputSerializer(context: RequestContext): Serializer {
  const serializers = context.wireForms.encodings.map(({ serializer }) => serializer);
  const mediaType = negotiateInput(
    context.exchange.header('content-type'),
    serializers.map((serializer) => serializer.mediaType),
  );
  const serializer = serializers.find((candidate) => candidate.mediaType === mediaType);
  if (serializer === undefined) throw new Error(`no serializer for ${mediaType}`);
  return serializer;
}

/** Decodes options in a body; no strict field validation applies. */
export function decodeOptions(context: RequestContext, bytes: Uint8Array, kind: 'DeleteOptions'): JsonObject {
  try {
    const schemaOf = (name: string) => schemaByName(`io.k8s.apimachinery.pkg.apis.meta.v1.${name}`);
    return readInput(() => {
      const body = inputSerializer(context).decode(bytes);
      return decodeOptionsBody({ body, bytes }, kind, schemaOf);
    });
  } catch (error) {
    if (error instanceof DecodeError || error instanceof BodySyntaxError) throw badRequest(error.message);
    throw error;
  }
}
