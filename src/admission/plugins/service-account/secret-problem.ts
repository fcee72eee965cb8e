import type { KubernetesObject } from '../../../api/meta/object.ts';
import type {
  Container,
  EphemeralContainer,
  Pod,
  ServiceAccount,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';

type Account = KubernetesObject & ServiceAccount;

/** What a pod reads although its account does not name it; undefined: nothing. */
export function secretProblem({ spec = {} }: Pod, account: Account): string | undefined {
  const { name: accountName } = account.metadata;
  const named = namesOf(account.secrets);
  for (const { secret } of spec.volumes ?? []) {
    const name = secret?.secretName ?? '';
    if (secret !== undefined && !named.has(name)) return notNamed('volume with', name, accountName);
  }
  const problem =
    containersProblem('init container', spec.initContainers, { named, accountName }) ??
    containersProblem('container', spec.containers, { named, accountName });
  if (problem !== undefined) return problem;
  const pulled = namesOf(account.imagePullSecrets);
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (pulled.has(name)) continue;
    return `imagePullSecrets[${index}].name="${name}" is not allowed because service account ${accountName} does not reference that imagePullSecret`;
  }
  return undefined;
}

export function ephemeralSecretProblem({ spec = {} }: Pod, { secrets, metadata }: Account): string | undefined {
  const allowed = { named: namesOf(secrets), accountName: metadata.name };
  return containersProblem('ephemeral container', spec.ephemeralContainers, allowed);
}

interface Allowed {
  readonly named: ReadonlySet<string>;
  readonly accountName: string | undefined;
}

function containersProblem(
  what: string,
  containers: readonly (Container | EphemeralContainer)[] = [],
  { named, accountName }: Allowed,
): string | undefined {
  for (const { name: own, env = [], envFrom = [] } of containers) {
    for (const { name: variable, valueFrom } of env) {
      const secret = valueFrom?.secretKeyRef;
      if (secret === undefined || named.has(secret.name ?? '')) continue;
      return notNamed(`${what} ${own} with envVar ${variable} referencing`, secret.name, accountName);
    }
    for (const { secretRef } of envFrom) {
      if (secretRef === undefined || named.has(secretRef.name ?? '')) continue;
      return notNamed(`${what} ${own} with envFrom referencing`, secretRef.name, accountName);
    }
  }
  return undefined;
}

function notNamed(what: string, name = '', account = ''): string {
  const why = `is not allowed because service account ${account} does not reference that secret`;
  return `${what} secret.secretName="${name}" ${why}`;
}

function namesOf(references: readonly { readonly name?: string }[] = []): ReadonlySet<string> {
  return new Set(references.map(({ name = '' }) => name));
}
