import { inNamespace, patch, post, put, remove, scenario, type Step } from '../scenario.ts';

const namespace = '/api/v1/namespaces/diff-pod-security';
const pods = `${namespace}/pods`;
const label = (name: string): string => `pod-security.kubernetes.io/${name}`;

function labelled(name: string, labels: { readonly [name: string]: string | null }): Step {
  const entries = Object.entries(labels).map(([key, value]) => [label(key), value]);
  return patch(name, namespace, { type: 'merge', body: { metadata: { labels: Object.fromEntries(entries) } } });
}

/** Meets the restricted level. */
const good = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

interface Case {
  readonly name: string;
  readonly spec?: object;
  readonly annotations?: { readonly [key: string]: string };
  readonly container?: object;
  readonly context?: object;
  /** Adds an identical second container. */
  readonly twice?: boolean;
}

const cases: readonly Case[] = [
  { name: 'nothing wrong' },
  { name: 'privileged', context: { privileged: true, allowPrivilegeEscalation: true } },
  { name: 'two privileged', context: { privileged: true, allowPrivilegeEscalation: true }, twice: true },
  { name: 'escalation', context: { allowPrivilegeEscalation: true } },
  { name: 'capabilities', context: { capabilities: { add: ['SYS_TIME', 'CHOWN', 'NET_BIND_SERVICE'] } } },
  { name: 'dropped capabilities', context: { capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } } },
  { name: 'host namespaces', spec: { hostNetwork: true, hostPID: true } },
  {
    name: 'host path',
    spec: {
      volumes: [
        { name: 'v', hostPath: { path: '/v' } },
        { name: 'w', nfs: { server: 's', path: '/' } },
      ],
    },
  },
  { name: 'one volume', spec: { volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] } },
  {
    name: 'host ports',
    container: {
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 81, hostPort: 9 },
      ],
    },
  },
  {
    name: 'probe hosts',
    container: {
      livenessProbe: { httpGet: { host: 'h', port: 80 } },
      lifecycle: { preStop: { tcpSocket: { host: 'g', port: 1 } } },
    },
  },
  { name: 'proc mount', context: { procMount: 'Unmasked' }, spec: { hostUsers: false } },
  { name: 'own users', context: { runAsNonRoot: false, runAsUser: 0 }, spec: { hostUsers: false } },
  {
    name: 'selinux',
    context: { seLinuxOptions: { type: 't', user: 'u', role: 'r' } },
    spec: { securityContext: { seLinuxOptions: { type: 'container_engine_t' } } },
  },
  {
    name: 'sysctls',
    spec: {
      securityContext: {
        sysctls: [
          { name: 'kernel.msgmax', value: '1' },
          { name: 'net.ipv4.tcp_rmem', value: '1' },
        ],
      },
    },
  },
  { name: 'app armor', context: { appArmorProfile: { type: 'Unconfined' } } },
  { name: 'app armor of the pod', spec: { securityContext: { appArmorProfile: { type: 'Unconfined' } } } },
  { name: 'app armor annotation', annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' } },
  { name: 'seccomp', context: { seccompProfile: { type: 'Unconfined' } } },
  { name: 'no seccomp', context: { seccompProfile: undefined }, twice: true },
  {
    name: 'seccomp of the pod',
    context: { seccompProfile: undefined },
    spec: { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
  },
  { name: 'seccomp annotation', annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } },
  { name: 'root', context: { runAsUser: 0 } },
  {
    name: 'root in the pod',
    spec: { securityContext: { runAsUser: 0, runAsNonRoot: false } },
    context: { runAsNonRoot: undefined },
  },
  { name: 'not told', context: { runAsNonRoot: undefined } },
  {
    name: 'windows',
    spec: { os: { name: 'windows' } },
    context: { allowPrivilegeEscalation: undefined, capabilities: undefined, seccompProfile: undefined },
  },
  {
    name: 'host process',
    spec: { hostNetwork: true, os: { name: 'windows' }, securityContext: { windowsOptions: { hostProcess: true } } },
    context: { allowPrivilegeEscalation: undefined, capabilities: undefined, seccompProfile: undefined },
  },
  {
    name: 'everything at once',
    container: { ports: [{ containerPort: 80, hostPort: 80 }] },
    context: {
      privileged: true,
      allowPrivilegeEscalation: true,
      runAsNonRoot: undefined,
      capabilities: undefined,
      seccompProfile: undefined,
    },
    spec: { hostPID: true },
  },
];

function podOf({ spec, annotations, container, context, twice }: Case, name: string): object {
  const one = { name: 'c', image: 'i', ...container, securityContext: { ...good, ...context } };
  const containers = twice === true ? [one, { ...one, name: 'd' }] : [one];
  return { metadata: { name, ...(annotations && { annotations }) }, spec: { containers, ...spec } };
}

/** Every case as a dry run. */
function allCases(what: string): Step[] {
  return cases.map((each) => post(`${what}: ${each.name}`, `${pods}?dryRun=All`, podOf(each, 'p')));
}

const worst = cases.at(-1) ?? { name: '' };
const deployments = '/apis/apps/v1/namespaces/diff-pod-security/deployments';
const deployment = {
  metadata: { name: 'd' },
  spec: { selector: { matchLabels: { a: 'b' } }, template: { ...podOf(worst, 't'), metadata: { labels: { a: 'b' } } } },
};
const cronJob = {
  metadata: { name: 'j' },
  spec: {
    schedule: '* * * * *',
    jobTemplate: {
      spec: { template: { spec: { ...(podOf(worst, 't') as { spec: object }).spec, restartPolicy: 'Never' } } },
    },
  },
};

/** Pod security levels in namespace labels. */
export const podSecurity = scenario('pod-security', [
  inNamespace('diff-pod-security'),
  labelled('a level that is none', { enforce: 'strict', warn: 'lax' }),
  labelled('a version that is none', { 'enforce-version': 'v2.0', 'audit-version': '1.5' }),
  post('a namespace with a level that is none', '/api/v1/namespaces', {
    metadata: { name: 'diff-lax', labels: { [label('audit')]: 'lax' } },
  }),
  post('a good pod', pods, podOf({ name: '' }, 'good')),
  post('a bad pod', pods, podOf(worst, 'bad')),
  post('another bad pod', pods, podOf(worst, 'bad-too')),
  post('a third bad pod', pods, podOf({ name: '', spec: { hostPID: true } }, 'shared')),
  labelled('warn of the restricted level', { warn: 'restricted' }),
  post('a pod that is warned of', `${pods}?dryRun=All`, podOf(worst, 'p')),
  post('a deployment that is warned of', deployments, deployment),
  post('a cron job that is warned of', '/apis/batch/v1/namespaces/diff-pod-security/cronjobs', cronJob),
  labelled('enforce the baseline', { enforce: 'baseline', warn: null }),
  ...allCases('baseline'),
  labelled('enforce the restricted level', { enforce: 'restricted' }),
  ...allCases('restricted'),
  post('a deployment', `${deployments}?dryRun=All`, { ...deployment, metadata: { name: 'e' } }),
  post('a generated name', pods, { ...podOf(worst, ''), metadata: { generateName: 'gen-' } }),
  put('replace what is bad with the same', `${pods}/bad`, podOf(worst, 'bad')),
  patch('another image', `${pods}/bad`, {
    type: 'json',
    body: [{ op: 'replace', path: '/spec/containers/0/image', value: 'j' }],
  }),
  patch('a label', `${pods}/bad`, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),
  labelled('as it was in 1.18', { 'enforce-version': 'v1.18', warn: 'baseline', 'warn-version': 'v1.30' }),
  ...allCases('1.18'),
  labelled('as it was in 1.24', { 'enforce-version': 'v1.24', warn: null, 'warn-version': null }),
  ...allCases('1.24'),
  labelled('as it will be', { 'enforce-version': 'v1.99' }),
  post('a bad pod in the future', `${pods}?dryRun=All`, podOf(worst, 'p')),
  labelled('no level that can be, again', { enforce: 'strict' }),
  labelled('nothing enforced', { enforce: 'privileged' }),
  post('a bad pod again', `${pods}?dryRun=All`, podOf(worst, 'p')),
  remove('delete the bad one', `${pods}/bad?gracePeriodSeconds=0`),
]);
