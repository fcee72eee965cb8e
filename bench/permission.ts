import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair, issueCertificate } from '../src/codec/x509/issue-certificate.ts';
import { inOrder, median } from './alternation.ts';
import { binnacle } from './binnacle.ts';
import { exactCpuUs } from './process-usage.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import { Session } from './session.ts';
import type { Access, RunningTarget } from './target.ts';

const rounds = 60;
const requestsOfRound = 1_000;
const warmUp = 10_000;
const namespace = '/api/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roleRef = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
const ann = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' };
const account = { kind: 'ServiceAccount', namespace: 'default', name: 'bench' };

/**
 * What it costs a whole request to be permitted by roles, and to show a token in place of a certificate. Clients take turns on one server, which
 * differ in nothing else; the figures are medians of the differences between turns next to each other.
 */
export async function measurePermission(nodeArguments: readonly string[]): Promise<TargetReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  const figures: Figure[] = [];
  const tokens = join(dataDir, 'tokens.csv');
  writeFileSync(tokens, 'bench,ann,uid\n');
  try {
    const target = await binnacle(nodeArguments, [
      '--authorization-mode=Node,RBAC',
      `--token-auth-file=${tokens}`,
    ]).start(dataDir);
    await using admin = new Session(target, 0);
    await admin.namespaceExists();
    await prepare(admin);
    const as = (credentials: Partial<Access>): Session => {
      const { url, ca } = target.access;
      return new Session({ ...target, access: { url, ca, ...credentials }, stop: () => Promise.resolve() }, 0);
    };
    await using permitted = as(certificateOf('ann', dataDir));
    await using withToken = as({ token: 'bench' });
    const token = await accountToken(admin);
    await using withAccountToken = as({ token });
    await using padded = as({ ...certificateOf('ann', dataDir), padding: `Bearer ${token}` });
    let made = 0;
    for (const roles of [1_000, 10_000]) {
      await makeRoles(admin, { from: made, count: roles - made });
      made = roles;
      figures.push(...(await compare(target, { admin, permitted, withToken, withAccountToken, padded }, roles)));
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { target: 'Binnacle', figures };
}

/** Ann and an account may read what is asked for. */
async function prepare(admin: Session): Promise<void> {
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
  await make(admin, `${namespace}/configmaps`, { metadata: { name: 'bench' }, data: { a: 'b' } });
  await make(admin, `${namespace}/serviceaccounts`, { metadata: { name: account.name } });
  await make(admin, `${rbac}/clusterroles`, { metadata: { name: 'bench' }, rules });
  const binding = { metadata: { name: 'bench' }, roleRef: roleRef('bench'), subjects: [ann, account] };
  await make(admin, `${rbac}/namespaces/default/rolebindings`, binding);
}

/** Roles and bindings, half of them of the cluster. Ann and the account are bound by every tenth, to what does not help them. */
async function makeRoles(admin: Session, range: { readonly from: number; readonly count: number }): Promise<void> {
  const metadata = { name: 'bench-{number}' };
  const rules = [{ apiGroups: ['apps'], resources: ['things-{number}'], verbs: ['get', 'list'] }];
  await make(admin, `${rbac}/clusterroles`, { metadata, rules }, range);
  const bind = async (where: string, subjects: readonly object[], from: number, count: number): Promise<void> => {
    const body = { metadata, roleRef: roleRef('bench-{number}'), subjects };
    await make(admin, `${rbac}/${where}`, body, { from, count });
  };
  const others = [{ ...ann, name: 'user-{number}' }];
  const tenth = range.count / 10;
  const cluster = range.count / 2;
  await bind('clusterrolebindings', [ann, account], range.from, tenth);
  await bind('clusterrolebindings', others, range.from + tenth, cluster - tenth);
  await bind('namespaces/default/rolebindings', others, range.from + cluster, range.count - cluster);
}

async function make(admin: Session, path: string, body: object, range = { from: 0, count: 1 }): Promise<void> {
  await admin.requests({ method: 'POST', path, body: JSON.stringify(body), ...range, names: 1, concurrency: 16 });
}

interface Clients {
  /** A member of system:masters, for whom no role is looked at. */
  readonly admin: Session;
  readonly permitted: Session;
  /** A few bytes. */
  readonly withToken: Session;
  /** A signed one of a kilobyte; node's HTTP/2 client sends it anew with each request, which others need not do. */
  readonly withAccountToken: Session;
  /** A certificate, and a header of the same kilobyte that means nothing: what the transport of the token costs. */
  readonly padded: Session;
}

async function compare(target: RunningTarget, clients: Clients, roles: number): Promise<readonly Figure[]> {
  const job = { method: 'GET', path: `${namespace}/configmaps/bench`, names: 1, concurrency: 16, from: 0 } as const;
  const used = async (session: Session): Promise<number> => {
    const beforeUs = exactCpuUs(target.pids);
    await session.load({ kind: 'requests', ...job, count: requestsOfRound });
    return (exactCpuUs(target.pids) - beforeUs) / requestsOfRound;
  };
  for (const session of Object.values(clients)) await session.load({ kind: 'requests', ...job, count: warmUp });
  const { admin, permitted, withToken, withAccountToken, padded } = clients;
  const rows: { base: number; byRoles: number; byToken: number; byAccountToken: number; byMeaning: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The machine gets slower and faster: who is between two others is compared with both.
    const turns = [admin, permitted, withToken, permitted, padded, withAccountToken, padded, permitted, admin];
    const [a1 = 0, p1 = 0, token = 0, p2 = 0, b1 = 0, account = 0, b2 = 0, p3 = 0, a2 = 0] = await inOrder(turns, used);
    rows.push({
      base: (a1 + a2) / 2,
      byRoles: (p1 + p3 - a1 - a2) / 2,
      byToken: token - (p1 + p2) / 2,
      byAccountToken: account - (p2 + p3) / 2,
      byMeaning: account - (b1 + b2) / 2,
    });
  }
  const figure = (name: string, key: keyof (typeof rows)[number]): Figure => {
    return { name, unit: 'us', value: median(rows.map((row) => row[key])) };
  };
  return [
    figure(`get by an administrator, ${roles} roles`, 'base'),
    figure('more for who is permitted by roles', 'byRoles'),
    figure('more for a token than for a certificate', 'byToken'),
    figure('more for an account token', 'byAccountToken'),
    figure('of that, more than for a meaningless header of its size', 'byMeaning'),
  ];
}

async function accountToken(admin: Session): Promise<string> {
  const path = `${namespace}/serviceaccounts/${account.name}/token`;
  const body = JSON.stringify({ spec: { expirationSeconds: 86_400 } });
  const job = { kind: 'requests', method: 'POST', path, body, from: 0, count: 1, names: 1, concurrency: 1 } as const;
  const { last } = await admin.load(job);
  return (JSON.parse(last) as { readonly status: { readonly token: string } }).status.token;
}

/** A certificate of the server's own authority. */
function certificateOf(commonName: string, dataDir: string): { readonly cert: string; readonly key: string } {
  const read = (name: string): string => readFileSync(join(dataDir, 'pki', name), 'utf8');
  const authority = new X509Certificate(read('ca.crt'));
  const privateKey = createPrivateKey(read('ca.key'));
  const issuer = {
    name: { commonName: authority.subject.replace(/^CN=/, '') },
    privateKey,
    publicKey: createPublicKey(privateKey),
  };
  const keys = generateKeyPair();
  const hourMs = 3_600_000;
  const dates = { notBeforeMs: Date.now() - hourMs, notAfterMs: Date.now() + 24 * hourMs };
  const cert = issueCertificate({ subject: { commonName }, usage: 'client', ...dates }, keys.publicKey, issuer);
  return { cert, key: keys.privateKey.export({ type: 'sec1', format: 'pem' }).toString() };
}
