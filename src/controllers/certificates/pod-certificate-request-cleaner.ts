import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { deleteIfSame } from '../delete-if-same.ts';
import { partsOfKey } from '../followed-objects.ts';

const group = 'certificates.k8s.io';
const resource = 'podcertificaterequests';
/** Longer than any of them takes to be issued. */
const lifetimeMs = 15 * 60_000;

/** Deletes PodCertificateRequests some time after their creation. */
export function podCertificateRequestCleaner(context: ControllerContext): AsyncDisposable {
  const { client, clock } = context;
  const loop = new ControlLoop(context, clean, { queue: 'podcertificaterequest_cleaner', workers: 1 });
  const served = client.resources().find((each) => each.group === group && each.resource === resource);
  if (served === undefined) return loop;
  const requests = { group, version: served.version, resource, namespace: '' };
  const known = loop.follow(requests, {
    keep: ({ apiVersion, kind, metadata: { namespace = '', name = '', uid = '', creationTimestamp = '' } }) => {
      return { apiVersion, kind, metadata: { namespace, name, uid, creationTimestamp } };
    },
    changed: ({ now, key }) => {
      if (now !== undefined) loop.queue.add(key);
    },
  });
  return loop;

  async function clean(key: string): Promise<void> {
    const { namespace, name } = partsOfKey(key);
    const request = known.get(namespace, name);
    if (request === undefined) return;
    const leftMs = Date.parse(request.metadata.creationTimestamp) + lifetimeMs - clock.now();
    if (leftMs > 0) loop.queue.addAfter(key, leftMs);
    else await deleteIfSame(client, requests, request);
  }
}
