import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import type { Report } from './watching-client.ts';

/**
 * `KUBECONFIG=FILE node client-node-informer.ts LAST`: tracks ConfigMaps until it has seen LAST, then prints a report
 * (watching-client.ts).
 */
const [lastNamespace, lastName = ''] = process.argv[2]?.split('/') ?? [];
const restartMs = 100;

const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, '/api/v1/configmaps', () => api.listConfigMapForAllNamespaces());

const problems: string[] = [];
let events = 0;
const versions = new Map<string, number>();

/** Deleted objects are forgotten: the name may be reused. */
function follow(object: V1ConfigMap, gone: boolean): void {
  events += 1;
  const uid = object.metadata?.uid ?? '';
  const version = Number(object.metadata?.resourceVersion);
  const before = versions.get(uid) ?? 0;
  if (version < before) problems.push(`${object.metadata?.name} went back from ${before} to ${version}`);
  if (gone) versions.delete(uid);
  else versions.set(uid, version);
}

function report(): Report {
  const objects = informer.list().map((object) => {
    const { namespace, name, resourceVersion = '', uid = '' } = object.metadata ?? {};
    return [`${namespace}/${name}`, { resourceVersion, uid, turn: object.data?.['turn'] ?? '' }] as const;
  });
  return { objects: Object.fromEntries(objects), problems, events };
}

function startAgain(): void {
  informer.start().catch((error: unknown) => problems.push(`start failed: ${String(error)}`));
}

informer.on('add', (object) => follow(object, false));
informer.on('update', (object) => follow(object, false));
informer.on('delete', (object) => follow(object, true));
// The documented way to continue after a lost connection.
informer.on('error', () => setTimeout(startAgain, restartMs));
startAgain();

const timer = setInterval(() => {
  if (informer.get(lastName, lastNamespace) === undefined) return;
  clearInterval(timer);
  process.stdout.write(`${JSON.stringify(report())}\n`, () => process.exit(0));
}, 100);
