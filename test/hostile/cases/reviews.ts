import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeconfigOf } from '../../authentication/both-servers.ts';
import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, HostileRequest, Reply } from '../hostile-client.ts';
import { reviewMisdeeds } from '../hook-misdeeds.ts';
import { hookServer } from '../hook-server.ts';
import { issuers, keyIssuers } from '../issuer-misdeeds.ts';

const requests = 5;
/** Until the server gives up, which is longer than a case may take. */
const slow: ReadonlySet<string> = new Set(['no answer', 'an answer that drips']);
/** What a webhook or an issuer may answer to each. */
const bodyBytes = requests * 3_000_000;

/** A server that asks webhooks about tokens and permissions, and trusts issuers. */
async function configure(folder: string): Promise<readonly string[]> {
  const { url, authority } = await hookServer();
  const kubeconfig = join(folder, 'webhook.kubeconfig');
  const authentication = join(folder, 'authentication.yaml');
  const jwt = issuers.map((issuer) => ({
    issuer: { url: issuerUrl(url, issuer), audiences: ['a'], certificateAuthority: authority },
    claimMappings: { username: { claim: 'sub', prefix: '' } },
  }));
  await writeFile(kubeconfig, kubeconfigOf(`${url}/review/current`, authority));
  await writeFile(
    authentication,
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration', jwt }),
  );
  return [
    `--authentication-config=${authentication}`,
    `--authentication-token-webhook-config-file=${kubeconfig}`,
    '--authentication-token-webhook-version=v1',
    '--authorization-mode=RBAC,Webhook',
    `--authorization-webhook-config-file=${kubeconfig}`,
    '--authorization-webhook-version=v1',
  ];
}

function issuerUrl(origin: string, issuer: string): string {
  return `${origin}/issuer/${issuer.split('/').map(encodeURIComponent).join('/')}`;
}

const tokenReview = (token: string): HostileRequest => ({
  path: '/apis/authentication.k8s.io/v1/tokenreviews?timeout=2s',
  body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } }),
});
const accessReview = (user: string): HostileRequest => ({
  path: '/apis/authorization.k8s.io/v1/subjectaccessreviews?timeout=2s',
  body: JSON.stringify({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
  }),
});

function severalTimes(client: HostileClient, request: (index: number) => HostileRequest): Promise<readonly Reply[]> {
  return Promise.all(Array.from({ length: requests }, (_, index) => client.send(request(index))));
}

/** What webhooks and issuers answer is read by the thread that has asked. */
const common = { bodyBytes, configure, codes: [201, 500, 504], boundMs: 100 };

const webhookCases = [...reviewMisdeeds.keys()].flatMap((misdeed): HostileCase[] =>
  Object.entries({ tokens: tokenReview, access: accessReview }).map(([kind, request]) => ({
    ...common,
    name: `review: of ${kind}, ${misdeed}`,
    long: slow.has(misdeed),
    prepare: async () => (await hookServer()).choose(misdeed),
    send: (client) => severalTimes(client, (index) => request(`${misdeed} ${index}`)),
  })),
);

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A token that nobody has signed; the signature is as long as one. */
function tokenOf(iss: string): string {
  const claims = { iss, sub: 'a', aud: 'a', exp: 4_000_000_000, iat: 1 };
  return `${encoded({ alg: 'RS256' })}.${encoded(claims)}.${Buffer.alloc(256, 1).toString('base64url')}`;
}

const issuerCases: readonly HostileCase[] = keyIssuers.map((issuer) => ({
  ...common,
  name: `issuer: ${issuer}`,
  long: slow.has(issuer.slice('keys/'.length)),
  prepare: async () => (await hookServer()).choose('the end of a connection'),
  async send(client) {
    const { url } = await hookServer();
    return severalTimes(client, () => tokenReview(tokenOf(issuerUrl(url, issuer))));
  },
}));

const claims = (count: number): string => {
  const all = Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, {}]));
  return `${encoded({ alg: 'RS256' })}.${encoded({ iss: 'a', ...all })}.AAAA`;
};

/** Tokens that nobody has signed, and users of whom much is told. */
const largeCases: readonly HostileCase[] = [
  {
    ...common,
    name: 'review: a token of 150,000 claims',
    codes: [201],
    bodyBytes: requests * 3_000_000,
    send: (client) => severalTimes(client, () => tokenReview(claims(150_000))),
  },
  {
    name: 'review: a user of 200,000 groups',
    configure,
    codes: [201, 504],
    bodyBytes: 3_000_000,
    boundMs: 100,
    async send(client) {
      const groups = Array.from({ length: 200_000 }, (_, index) => `group-${index}`);
      const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' };
      const body = JSON.stringify({ spec: { user: 'a', groups, resourceAttributes } });
      return [await client.send({ path: '/apis/authorization.k8s.io/v1/subjectaccessreviews?timeout=2s', body })];
    },
  },
];

/** Webhooks that review tokens and access, and issuers of tokens, that misbehave. */
export const reviewCases: readonly HostileCase[] = [...webhookCases, ...issuerCases, ...largeCases];
