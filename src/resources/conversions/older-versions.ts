import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { renameFields } from './rename.ts';

/*
 * Versions that nobody serves any more and that stores still hold: what their objects are in the versions that came after. Kinds that
 * are not named have the same fields in all of theirs.
 */

type Change = (object: JsonObject) => JsonObject;

const matchNobody = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
const zoneLabel = 'topology.kubernetes.io/zone';
const hostLabel = 'kubernetes.io/hostname';

/** By `apiVersion/kind`. They may change and answer the objects they are given. */
export const olderVersions: { readonly [kind: string]: Change | undefined } = {
  'policy/v1beta1/PodDisruptionBudget': inSpec((spec) => changed(spec, 'selector', budgetSelector)),
  'networking.k8s.io/v1beta1/Ingress': inSpec(ingressSpec),
  'extensions/v1beta1/Ingress': inSpec(ingressSpec),
  'discovery.k8s.io/v1beta1/EndpointSlice': (slice) => eachOf(slice, 'endpoints', endpoint),
  'node.k8s.io/v1alpha1/RuntimeClass': ({ spec, ...others }) => ({
    ...others,
    ...(isJsonObject(spec) ? renameFields(spec, [['runtimeHandler', 'handler']]) : {}),
  }),
  'flowcontrol.apiserver.k8s.io/v1beta1/PriorityLevelConfiguration': inSpec(priorityLevelSpec),
  'flowcontrol.apiserver.k8s.io/v1beta2/PriorityLevelConfiguration': inSpec(priorityLevelSpec),
  'flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration': withoutAnnotation(
    'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares',
  ),
  'admissionregistration.k8s.io/v1beta1/ValidatingWebhookConfiguration': (object) =>
    eachOf(object, 'webhooks', (webhook) => ({ ...webhookDefaults, ...webhook })),
  'admissionregistration.k8s.io/v1beta1/MutatingWebhookConfiguration': (object) =>
    eachOf(object, 'webhooks', (webhook) => ({ ...webhookDefaults, ...webhook })),
  'apiextensions.k8s.io/v1beta1/CustomResourceDefinition': inSpec(definitionSpec),
};

/** Where they differ from those of v1. */
const webhookDefaults: Readonly<JsonObject> = {
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  sideEffects: 'Unknown',
  timeoutSeconds: 30,
};

function inSpec(change: Change): Change {
  return (object) => changed(object, 'spec', change);
}

/** The object with one of its parts changed, if it has it. */
function changed(object: JsonObject, field: string, change: Change): JsonObject {
  const part = getOwn(object, field);
  return isJsonObject(part) ? { ...object, [field]: change(part) } : object;
}

function eachOf(object: JsonObject, field: string, change: Change): JsonObject {
  const items = getOwn(object, field);
  if (!Array.isArray(items)) return object;
  return { ...object, [field]: items.map((item) => (isJsonObject(item) ? change(item) : item)) };
}

function withoutAnnotation(name: string): Change {
  return (object) =>
    changed(object, 'metadata', (metadata) =>
      changed(metadata, 'annotations', ({ [name]: _gone, ...annotations }) => annotations),
    );
}

/** An empty selector was that of no pod, and one that demands the absence of a label that nobody sets that of all. */
function budgetSelector(selector: JsonObject): JsonObject {
  const { matchLabels, matchExpressions } = selector;
  const expressions = Array.isArray(matchExpressions) ? matchExpressions : [];
  const isAboutLabels = isJsonObject(matchLabels) && Object.keys(matchLabels).length > 0;
  if (!isAboutLabels && expressions.length === 0)
    return { matchExpressions: [{ key: matchNobody, operator: 'Exists' }] };
  const rest = expressions.filter((each) => !isJsonObject(each) || each['key'] !== matchNobody);
  if (rest.length === expressions.length) return selector;
  const { matchExpressions: _, ...others } = selector;
  return rest.length === 0 ? others : { ...others, matchExpressions: rest };
}

function ingressSpec(spec: JsonObject): JsonObject {
  const renamed = changed(renameFields(spec, [['backend', 'defaultBackend']]), 'defaultBackend', ingressBackend);
  return eachOf(renamed, 'rules', (rule) =>
    changed(rule, 'http', (http) => eachOf(http, 'paths', (path) => changed(path, 'backend', ingressBackend))),
  );
}

function ingressBackend({ serviceName = '', servicePort = 0, ...others }: JsonObject): JsonObject {
  if (serviceName === '' && servicePort === 0) return others;
  const port = typeof servicePort === 'string' ? { name: servicePort } : { number: servicePort };
  return { ...others, service: { name: serviceName, port } };
}

function endpoint({ topology, ...others }: JsonObject): JsonObject {
  if (!isJsonObject(topology)) return others;
  const { [zoneLabel]: zone, [hostLabel]: host, ...rest } = topology;
  const kept: JsonObject = host === undefined || host === others['nodeName'] ? rest : { ...rest, [hostLabel]: host };
  return {
    ...others,
    ...(zone === undefined ? {} : { zone }),
    ...(Object.keys(kept).length === 0 ? {} : { deprecatedTopology: kept }),
  };
}

function priorityLevelSpec(spec: JsonObject): JsonObject {
  return changed(spec, 'limited', (limited) =>
    renameFields(limited, [['assuredConcurrencyShares', 'nominalConcurrencyShares']]),
  );
}

/** What a definition says of all its versions was said once. */
function definitionSpec(spec: JsonObject): JsonObject {
  const { version, validation, subresources, additionalPrinterColumns, selectableFields, ...others } = spec;
  const given = Array.isArray(others['versions']) ? others['versions'] : [];
  const versions: JsonValue[] =
    given.length === 0 && version !== undefined ? [{ name: version, served: true, storage: true }] : given;
  const ofAll = present({ schema: validation, subresources, additionalPrinterColumns, selectableFields });
  const withAll = { ...others, versions: versions.map((each) => (isJsonObject(each) ? { ...each, ...ofAll } : each)) };
  const named = eachOf(withAll, 'versions', (each) =>
    eachOf(each, 'additionalPrinterColumns', (column) => renameFields(column, [['JSONPath', 'jsonPath']])),
  );
  const converting = changed(named, 'conversion', definitionConversion);
  return converting['preserveUnknownFields'] === undefined
    ? { ...converting, preserveUnknownFields: true }
    : converting;
}

function definitionConversion(conversion: JsonObject): JsonObject {
  const { webhookClientConfig: clientConfig, conversionReviewVersions, ...others } = conversion;
  if (clientConfig === undefined && conversionReviewVersions === undefined) return others;
  return { ...others, webhook: present({ clientConfig, conversionReviewVersions }) };
}

function present(fields: { readonly [field: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
