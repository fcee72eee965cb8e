import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { JsonObject } from '../../src/api/json/json.ts';
import { signedToken } from '../signed-token.ts';
import { keyId } from '../../src/authentication/service-account/keys.ts';
import { TokenClient } from '../authorization/token-client.ts';
import type { CredentialRow } from './credential-row.ts';

const root = 'tok-root';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Joining {
  readonly id: string;
  readonly data?: JsonObject;
  readonly type?: string;
  readonly name?: string;
}

function joiningSecret({ id, data = {}, type = 'bootstrap.kubernetes.io/token', name }: Joining): JsonObject {
  const all = { 'token-id': id, 'token-secret': `${id}0123456789`, 'usage-bootstrap-authentication': 'true', ...data };
  const encoded = Object.entries(all).map(([key, value]) => [key, base64(String(value))]);
  return { metadata: { name: name ?? `bootstrap-token-${id}` }, type, data: Object.fromEntries(encoded) as JsonObject };
}

const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

const joining: readonly (Joining & { readonly what: string; readonly said: string; readonly shown?: string })[] = [
  { what: 'a token to join', id: 'aaaaa0', said: 'system:bootstrap:aaaaa0 groups=system:bootstrappers' },
  {
    what: 'one with groups',
    id: 'aaaaa1',
    data: { 'auth-extra-groups': 'system:bootstrappers:z,system:bootstrappers:a:b,system:bootstrappers:z' },
    said: 'system:bootstrap:aaaaa1 groups=system:bootstrappers,system:bootstrappers:a:b,system:bootstrappers:z',
  },
  { what: 'one with a group of others', id: 'aaaaa2', data: { 'auth-extra-groups': 'system:masters' }, said: '401' },
  {
    what: 'one until tomorrow',
    id: 'aaaaa3',
    data: { expiration: tomorrow },
    said: 'system:bootstrap:aaaaa3 groups=system:bootstrappers',
  },
  { what: 'one until yesterday', id: 'aaaaa4', data: { expiration: yesterday }, said: '401' },
  { what: 'one for another use', id: 'aaaaa5', data: { 'usage-bootstrap-authentication': 'false' }, said: '401' },
  { what: 'one of another secret', id: 'aaaaa6', shown: 'aaaaa6.aaaaa60123456780', said: '401' },
  { what: 'one in a plain secret', id: 'aaaaa7', type: 'Opaque', said: '401' },
  { what: 'one in capitals', id: 'aaaaa8', shown: 'AAAAA8.aaaaa80123456789', said: '401' },
  { what: 'one that is nowhere', id: 'aaaaa9', name: 'bootstrap-token-elsewh', type: 'Opaque', said: '401' },
];

const bearer = (token: string): NonNullable<CredentialRow['headers']> => [['authorization', `Bearer ${token}`]];

export const joiningRows: readonly CredentialRow[] = joining.map(({ what, id, shown, said }) => ({
  name: what,
  headers: bearer(shown ?? `${id}.${id}0123456789`),
  said,
}));

async function make(client: TokenClient, path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await client.send({ method: 'POST', path, token: root, body });
  if (answer.code !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.body as JsonObject;
}

/** Creates the secrets of the rows. */
export async function makeJoiningSecrets(url: string): Promise<void> {
  using client = new TokenClient(url);
  for (const row of joining) await make(client, '/api/v1/namespaces/kube-system/secrets', joiningSecret(row));
}

/** Secrets with service account tokens; `said` for valid ones. */
export const legacySecrets: readonly {
  readonly name: string;
  readonly labels?: JsonObject;
  readonly isListed?: boolean;
  readonly isGone?: boolean;
}[] = [
  { name: 'own' },
  { name: 'generated', isListed: true },
  { name: 'invalid', labels: { 'kubernetes.io/legacy-token-invalid-since': '2020-01-01' } },
  { name: 'deleted', isGone: true },
];

const claim = 'kubernetes.io/serviceaccount/';

/** Creates the secrets; returns their tokens by name. */
export async function makeLegacyTokens(url: string, keyFile: string): Promise<ReadonlyMap<string, string>> {
  using client = new TokenClient(url);
  const key = createPrivateKey(keyFile);
  const namespace = 'default';
  const secrets = legacySecrets.filter(({ isListed }) => isListed === true).map(({ name }) => ({ name }));
  const account = await make(client, `/api/v1/namespaces/${namespace}/serviceaccounts`, {
    metadata: { name: 'old' },
    secrets,
  });
  const { uid } = account['metadata'] as { readonly uid: string };
  const tokens = new Map<string, string>();
  for (const { name, labels = {}, isGone } of legacySecrets) {
    const claims = {
      iss: 'kubernetes/serviceaccount',
      sub: `system:serviceaccount:${namespace}:old`,
      [`${claim}namespace`]: namespace,
      [`${claim}secret.name`]: name,
      [`${claim}service-account.name`]: 'old',
      [`${claim}service-account.uid`]: uid,
    };
    const token = signedToken(claims, key, keyId(createPublicKey(key)));
    tokens.set(name, token);
    if (isGone === true) continue;
    await make(client, `/api/v1/namespaces/${namespace}/secrets`, {
      metadata: { name, labels, annotations: { 'kubernetes.io/service-account.name': 'old' } },
      type: 'kubernetes.io/service-account-token',
      data: { token: base64(token) },
    });
  }
  return tokens;
}
