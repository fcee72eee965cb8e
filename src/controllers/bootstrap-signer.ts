import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { bootstrapSecretType, bootstrapTokenLeftMs, secretText } from '../authentication/bootstrap-secret.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import type { ConfigMap } from '../schema/kubernetes/generated/types/core-v1.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { configMaps, secrets } from './core-collections.ts';

const mapPlace = { namespace: 'kube-public', name: 'cluster-info' };
const tokenNamespace = 'kube-system';
const signaturePrefix = 'jws-kubeconfig-';

type StoredConfigMap = KubernetesObject & ConfigMap;

/**
 * Signs the kubeconfig in `kube-public` with all bootstrap tokens for signing, so that joining nodes can verify the
 * cluster.
 */
export function bootstrapSigner(context: ControllerContext): AsyncDisposable {
  const { client, clock } = context;
  const loop = new ControlLoop(context, sign, { queue: 'bootstrap_signer_queue', workers: 1 });
  const changed = (): void => loop.queue.add(mapPlace.name);
  const maps = loop.follow(configMaps, {
    mentions: mapPlace.name,
    keep: (object) =>
      object.metadata.name === mapPlace.name && object.metadata.namespace === mapPlace.namespace
        ? (object as StoredConfigMap) // decoded by its schema
        : undefined,
    changed,
  });
  const tokens = loop.follow(secrets, {
    mentions: bootstrapSecretType,
    keep: (secret) =>
      secret['type'] === bootstrapSecretType && secret.metadata.namespace === tokenNamespace ? secret : undefined,
    changed,
  });
  return loop;

  async function sign(): Promise<void> {
    const map = maps.get(mapPlace.namespace, mapPlace.name);
    const content = map?.data?.['kubeconfig'];
    if (map?.data === undefined || content === undefined) return;
    const signatures = [...tokens.within(tokenNamespace).values()].flatMap((secret) => {
      const token = signingToken(secret, clock.now());
      return token === undefined ? [] : [[`${signaturePrefix}${token.id}`, detachedSignature(content, token)] as const];
    });
    const others = Object.entries(map.data).filter(([key]) => !key.startsWith(signaturePrefix));
    const data = Object.fromEntries([...others, ...signatures]);
    if (isDeepStrictEqual(data, map.data)) return;
    try {
      await client.update(configMaps, { ...map, data });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

interface SigningToken {
  readonly id: string;
  readonly secret: string;
}

/** Undefined for tokens that may not sign or have expired. */
function signingToken(secret: KubernetesObject, nowMs: number): SigningToken | undefined {
  const id = secretText(secret, 'token-id');
  const token = secretText(secret, 'token-secret');
  const named = /^bootstrap-token-([a-z0-9]{6})$/.exec(secret.metadata.name ?? '')?.[1];
  if (named === undefined || named !== id || token === '') return undefined;
  if (secretText(secret, 'usage-bootstrap-signing') !== 'true') return undefined;
  return bootstrapTokenLeftMs(secret, nowMs) > 0 ? { id, secret: token } : undefined;
}

/** A JWS with detached content (RFC 7515, appendix F). */
export function detachedSignature(content: string, { id, secret }: SigningToken): string {
  const head = Buffer.from(JSON.stringify({ alg: 'HS256', kid: id })).toString('base64url');
  const signed = `${head}.${Buffer.from(content).toString('base64url')}`;
  return `${head}..${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
