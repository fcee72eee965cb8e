import type { StepResponse } from './scenario.ts';

/** Fields that differ between runs, or that have our own wording. */
const variableFields: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'continue',
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'description',
  'serverAddress',
  'clusterIP',
  'clusterIPs',
  'nodePort',
]);

const replacements: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, '<time>'],
  [/(resourceVersion\\*":\\*")\d+/g, '$1<version>'],
  [/(ResourceVersion in record \()\d+/g, '$1<version>'],
  [/(ResourceVersion in object meta: )\d+/g, '$1<version>'],
  [/(resource version: \d+), current: \d+/g, '$1, current: <version>'],
  [/\b(gen-|kube-api-access-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1<random>'],
  [/,?\\*"managedFields\\*":\[.*?\](?=\\*[},])/g, ''],
  // The same in YAML.
  [/(resourceVersion: ")\d+/g, '$1<version>'],
  [/^( *)managedFields:\n(?:\1[- ] .*\n)*/gm, ''],
  [/^\d+[smhd](\d+[smh])?$/, '<age>'],
  [/^(kubernetes-)?admin$/, '<admin>'],
  [/\bX509SHA256=[0-9a-f]{64}/g, '<certificate>'],
];

/** A response without what differs between equivalent servers. */
export function normalize({ code, contentType, warnings, body }: StepResponse): StepResponse {
  return { code, contentType, warnings: warnings.map(text), body: normalizeValue(body) };
}

/** Normalizes a part of a response. */
export function normalizeValue(from: unknown): unknown {
  if (typeof from === 'string') return text(from);
  if (Array.isArray(from)) return from.map(normalizeValue);
  if (typeof from !== 'object' || from === null) return from;
  return Object.fromEntries(Object.entries(from).map(([key, item]) => [key, field(key, item)]));
}

function field(key: string, item: unknown): unknown {
  if (variableFields.has(key) && (item !== '' || key === 'description')) return `<${key}>`;
  // Entries are ordered by time, in whole seconds.
  if (key === 'managedFields' && Array.isArray(item)) return item.map(normalizeValue).sort(compareTexts);
  // Conflicts with several managers are unordered.
  if (key === 'causes' && Array.isArray(item) && item.every(isConflict)) {
    return item.map(normalizeValue).sort(compareTexts);
  }
  return normalizeValue(item);
}

function isConflict(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'reason' in cause && cause.reason === 'FieldManagerConflict';
}

function compareTexts(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function text(from: string): string {
  return replacements.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement), from);
}
