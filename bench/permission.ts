import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair, issueCertificate } from '../src/codec/x509/issue-certificate.ts';
import { inOrder, median, settledAfter } from './alternation.ts';
import { binnacle } from './binnacle.ts';
import { buildGoClient, GoClient, type RequestSender } from './go-client.ts';
import { exactCpuUs } from './process-usage.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import { Session } from './session.ts';
import type { Access, RunningTarget } from './target.ts';

const rounds = 40;
const requestsOfRound = 1_000;
const concurrency = 16;
const namespace = '/api/v1/namespaces/default';
const path = `${namespace}/configmaps/bench`;
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roleRef = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
const ann = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' };
const account = { kind: 'ServiceAccount', namespace: 'default', name: 'bench' };

/**
 * What it costs a whole request to be permitted by roles, and to show a token instead of a certificate. Clients that
 * differ in nothing else take turns on one server; the figures are medians of the differences between adjacent turns.
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
    await using clients = new Clients({ admin, dataDir, token: await accountToken(admin) });
    let made = 0;
    for (const roles of [1_000, 10_000]) {
      await makeRoles(admin, { from: made, count: roles - made });
      made = roles;
      figures.push(...(await measureRoles(target, clients, roles)));
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

/** Roles and bindings, half of them of the cluster. Every tenth binds Ann and the account, to nothing of use. */
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

interface ClientsOptions {
  readonly admin: Session;
  readonly dataDir: string;
  /** A signed one of a kilobyte. */
  readonly token: string;
}

/** Load generators. The ones in Go are left out where there is no Go. */
class Clients implements AsyncDisposable {
  /** A member of system:masters, for whom no role is looked at. */
  readonly admin: RequestSender;
  readonly permitted: RequestSender;
  /** A few bytes. */
  readonly withToken: RequestSender;
  /** Node's client sends a token anew with each request. */
  readonly withAccountToken: RequestSender;
  /** A certificate, and a header of the same kilobyte that means nothing: what the transport of the token costs. */
  readonly padded: RequestSender;
  readonly go: readonly GoClients[];
  readonly #opened = new AsyncDisposableStack();

  constructor({ admin, dataDir, token }: ClientsOptions) {
    const { url, ca } = admin.target.access;
    const ann = certificateOf('ann', dataDir);
    const as = (credentials: Partial<Access>): RequestSender => {
      const access = { url, ca, ...credentials };
      const stop = (): Promise<void> => Promise.resolve();
      return senderOf(this.#opened.use(new Session({ ...admin.target, access, stop }, 0)));
    };
    this.admin = senderOf(admin);
    this.permitted = as(ann);
    this.withToken = as({ token: 'bench' });
    this.withAccountToken = as({ token });
    this.padded = as({ ...ann, padding: `Bearer ${token}` });
    const program = buildGoClient(dataDir);
    const go = (isHttp1: boolean, credentials: Partial<Access>): GoClient =>
      this.#opened.use(new GoClient(program ?? '', { url: url + path, ca, ...credentials }, { concurrency, isHttp1 }));
    this.go = (program === undefined ? [] : protocols).map(({ name, isHttp1 }) => ({
      name,
      certificate: go(isHttp1, ann),
      token: go(isHttp1, { token }),
    }));
  }

  get all(): readonly RequestSender[] {
    const { admin, permitted, withToken, withAccountToken, padded, go } = this;
    const ofGo = go.flatMap(({ certificate, token }) => [certificate, token]);
    return [admin, permitted, withToken, withAccountToken, padded, ...ofGo];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

interface GoClients {
  readonly name: string;
  readonly certificate: RequestSender;
  readonly token: RequestSender;
}

const protocols = [
  { name: 'HTTP/2', isHttp1: false },
  { name: 'HTTP/1.1', isHttp1: true },
] as const;

function senderOf(session: Session): RequestSender {
  const job = { kind: 'requests', method: 'GET', path, names: 1, concurrency, from: 0 } as const;
  return {
    async send(count) {
      await session.load({ ...job, count });
    },
  };
}

async function measureRoles(target: RunningTarget, clients: Clients, roles: number): Promise<readonly Figure[]> {
  const used = async (client: RequestSender): Promise<number> => {
    const beforeUs = exactCpuUs(target.pids);
    await client.send(requestsOfRound);
    return (exactCpuUs(target.pids) - beforeUs) / requestsOfRound;
  };
  await inOrder(clients.all, (client) => client.send(settledAfter));
  const own = await compare(clients, used);
  const figure = (name: string, value: number): Figure => ({ name, unit: 'us', value });
  const figures = [
    figure(`get by an administrator, ${roles} roles`, own.base),
    figure('more for who is permitted by roles', own.byRoles),
    figure('more for a token than for a certificate', own.byToken),
    figure('more for an account token, from Node', own.byAccountToken),
    figure('of that, more than for a meaningless header of its size', own.byMeaning),
  ];
  for (const go of clients.go) {
    figures.push(figure(`more for an account token, from Go over ${go.name}`, await compareGo(go, used)));
  }
  return figures;
}

type Used = (client: RequestSender) => Promise<number>;

async function compare({ admin, permitted, withToken, withAccountToken, padded }: Clients, used: Used) {
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
  const middle = (key: keyof (typeof rows)[number]): number => median(rows.map((row) => row[key]));
  return {
    base: middle('base'),
    byRoles: middle('byRoles'),
    byToken: middle('byToken'),
    byAccountToken: middle('byAccountToken'),
    byMeaning: middle('byMeaning'),
  };
}

async function compareGo({ certificate, token }: GoClients, used: Used): Promise<number> {
  const more: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = [certificate, token, token, certificate];
    const [before = 0, first = 0, second = 0, after = 0] = await inOrder(turns, used);
    more.push((first + second - before - after) / 2);
  }
  return median(more);
}

async function accountToken(admin: Session): Promise<string> {
  const tokenPath = `${namespace}/serviceaccounts/${account.name}/token`;
  const body = JSON.stringify({ spec: { expirationSeconds: 86_400 } });
  const job = {
    kind: 'requests',
    method: 'POST',
    path: tokenPath,
    body,
    from: 0,
    count: 1,
    names: 1,
    concurrency: 1,
  } as const;
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
