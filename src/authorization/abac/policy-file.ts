import { ConfigError } from '../../api/errors/config-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';

/** One line of a policy file, as v1beta1. Empty fields match only empty attributes; `*` matches everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

/** An invalid policy file; the message names the line. */
export class PolicyFileError extends ConfigError {
  override readonly name = 'PolicyFileError';
  override readonly code = 'POLICY_FILE';
}

const apiVersion = 'abac.authorization.kubernetes.io/v1beta1';
const everybody = 'system:authenticated';

/** Parses a file of JSON lines; comments begin with `#`. Throws a PolicyFileError. */
export function parsePolicyFile(text: string, path: string): readonly AbacPolicy[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    try {
      return policyOf(JSON.parse(line) as JsonValue);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new PolicyFileError(`error reading policy file ${path}, line ${index + 1}: ${line}: ${why}`);
    }
  });
}

function policyOf(value: JsonValue): AbacPolicy {
  if (!isJsonObject(value)) throw new Error('a policy must be an object');
  const version = stringMember(value, 'apiVersion');
  const kind = stringMember(value, 'kind');
  if (version === '' && kind === '') return unversioned(value);
  if (version !== apiVersion || kind !== 'Policy') {
    throw new Error(`no kind "${kind}" is registered for version "${version}"`);
  }
  const spec = value['spec'] ?? {};
  if (!isJsonObject(spec)) throw new Error('the spec of a policy must be an object');
  return forEverybody({
    user: stringMember(spec, 'user'),
    group: stringMember(spec, 'group'),
    readonly: flagOf(spec, 'readonly'),
    apiGroup: stringMember(spec, 'apiGroup'),
    resource: stringMember(spec, 'resource'),
    namespace: stringMember(spec, 'namespace'),
    nonResourcePath: stringMember(spec, 'nonResourcePath'),
  });
}

/** The unversioned form of policies, in which omitted fields match everything. */
function unversioned(value: JsonObject): AbacPolicy {
  const user = stringMember(value, 'user');
  const group = stringMember(value, 'group');
  const namespace = stringMember(value, 'namespace');
  const resource = stringMember(value, 'resource');
  return forEverybody({
    user,
    group: user === '' && group === '' ? everybody : group,
    readonly: flagOf(value, 'readonly'),
    apiGroup: '*',
    resource: resource === '' ? '*' : resource,
    namespace: namespace === '' ? '*' : namespace,
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  });
}

function forEverybody(policy: AbacPolicy): AbacPolicy {
  return policy.user === '*' || policy.group === '*' ? { ...policy, user: '', group: everybody } : policy;
}

function stringMember(object: JsonObject, field: string): string {
  const value = object[field] ?? '';
  if (typeof value !== 'string') throw new Error(`${field} must be a string`);
  return value;
}

function flagOf(object: JsonObject, field: string): boolean {
  const value = object[field] ?? false;
  if (typeof value !== 'boolean') throw new Error(`${field} must be true or false`);
  return value;
}
