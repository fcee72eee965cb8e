import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kubeconfigOf } from '../../authentication/both-servers.ts';
import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, Reply } from '../hostile-client.ts';
import { wholeText } from '../whole-text.ts';

/** How many expressions each file has. */
const expressions = 10_000;
/** The reference's limit for one webhook. */
const conditionsPerWebhook = 64;
/** Files are read again every second. */
const reloadMs = 68_000;
const pollMs = 100;

let folder = '';
/** Each file differs from the one before. */
let written = 0;

const fileOf = (name: string): string => join(folder, name);
const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** `last`: one more rule, which may be wrong. */
function authentication(last = 'true'): string {
  written += 1;
  const rules = many(expressions / 2, (index) => ({ expression: `claims.a${index} != "${written}"` }));
  const jwt = {
    // Nobody answers there.
    issuer: { url: 'https://127.0.0.1:1', audiences: ['a'] },
    claimMappings: {
      username: { expression: 'claims.email' },
      extra: many(expressions / 2, (index) => ({
        key: `a${index}.x.io/b`,
        valueExpression: `claims.email_verified ? "${written}" : string(claims.b${index})`,
      })),
    },
    claimValidationRules: [...rules, { expression: last }],
  };
  return JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration', jwt: [jwt] });
}

function authorization(): string {
  written += 1;
  const webhook = {
    timeout: '3s',
    authorizedTTL: '5m',
    unauthorizedTTL: '30s',
    failurePolicy: 'NoOpinion',
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: fileOf('webhook.kubeconfig') },
  };
  const webhooks = many(Math.ceil(expressions / conditionsPerWebhook), (number) => ({
    type: 'Webhook',
    name: `w${number}`,
    webhook: {
      ...webhook,
      matchConditions: many(conditionsPerWebhook, (index) => ({
        expression: `request.user != "${written}" && "${index}" in request.groups`,
      })),
    },
  }));
  const authorizers = [{ type: 'RBAC', name: 'rbac' }, ...webhooks];
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers,
  });
}

/** A server that starts with thousands of expressions. */
async function configure(itsFolder: string): Promise<readonly string[]> {
  folder = itsFolder;
  // Nobody answers there either.
  await writeFile(fileOf('webhook.kubeconfig'), kubeconfigOf('https://127.0.0.1:1', ''));
  await writeFile(fileOf('authentication.json'), authentication());
  await writeFile(fileOf('authorization.json'), authorization());
  return [
    `--authentication-config=${fileOf('authentication.json')}`,
    `--authorization-config=${fileOf('authorization.json')}`,
  ];
}

interface Change {
  readonly name: string;
  readonly file: string;
  readonly make: () => string;
  /** The kind of reload as the metric names it. */
  readonly counted: 'authentication' | 'authorization';
  readonly status: 'success' | 'failure';
}

async function reloads(client: HostileClient, { counted, status }: Change): Promise<number> {
  const metrics = await wholeText(client, '/metrics');
  const line = metrics
    .split('\n')
    .find(
      (each) =>
        each.startsWith(`apiserver_${counted}_config_controller_automatic_reloads_total{`) &&
        each.includes(`"${status}"`),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** Changes a file, and waits until the change is noticed. */
function reloadCase(change: Change): HostileCase {
  const { name, file, make } = change;
  return {
    name: `configuration: ${name}`,
    bodyBytes: 2_000_000,
    // OpenSSL reads the authorities of the host in one go: 20 to 30 ms.
    boundMs: 40,
    configure,
    codes: [200],
    async send(client): Promise<readonly Reply[]> {
      const before = await reloads(client, change);
      await writeFile(fileOf(file), make());
      for (const end = Date.now() + reloadMs; Date.now() < end; await sleep(pollMs)) {
        if ((await reloads(client, change)) > before) return [{ code: 200, bytes: 0, text: '' }];
      }
      return [{ code: 0, bytes: 0, text: 'the file was not read again' }];
    },
  };
}

/** Configuration files of thousands of expressions, at the start and changed later. */
export const configurationCases: readonly HostileCase[] = [
  reloadCase({
    name: '10,000 match conditions',
    file: 'authorization.json',
    make: authorization,
    counted: 'authorization',
    status: 'success',
  }),
  reloadCase({
    name: '10,000 expressions about claims, and a wrong one',
    file: 'authentication.json',
    make: () => authentication('1'),
    counted: 'authentication',
    status: 'failure',
  }),
  {
    ...reloadCase({
      name: '10,000 expressions about claims',
      file: 'authentication.json',
      make: authentication,
      // The issuer is not found, which takes a minute to notice.
      counted: 'authentication',
      status: 'failure',
    }),
    long: true,
  },
];
