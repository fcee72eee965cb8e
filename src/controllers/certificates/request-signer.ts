import { readFile } from 'node:fs/promises';
import { goQuote } from '../../api/go/go-quote.ts';
import type { CertificateRequest } from '../../codec/x509/certificate-request.ts';
import { unknownUsages } from '../../codec/x509/key-usages.ts';
import { readSigningAuthority, signRequest } from '../../codec/x509/sign-request.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { requestChecks } from './request-checks.ts';
import { type AuthorityFiles, authoritiesOf, type SigningConfig } from './signing-config.ts';
import {
  firstDelayMs,
  hasCondition,
  isIssued,
  parsedRequest,
  signingRequests,
  type StoredRequest,
} from './signing-requests.ts';

const minuteMs = 60_000;
/** Certificates are backdated, for clocks that lag behind. */
const backdateMs = 5 * minuteMs;
/** Shorter-lived certificates do not lose the backdated time at their end. */
const shortLifeMs = 480 * minuteMs;
const shortestLifeMs = 10 * minuteMs;

/** Signs approved requests for the signers that have a CA (`--cluster-signing-*`). Throws a SigningConfigError. */
export function requestSigner(context: ControllerContext): AsyncDisposable {
  const { client, clock } = context;
  const { signing } = context.config;
  const loop = new ControlLoop(context, sign, { queue: 'certificate', firstDelayMs });
  const authorities = authoritiesOf(signing, requestChecks.keys());
  if (authorities.size === 0) return loop;
  const requests = loop.follow(signingRequests, {
    keep: (object) => {
      const request = object as StoredRequest; // decoded by its schema
      return authorities.has(request.spec?.signerName ?? '') ? request : undefined;
    },
    changed: ({ now, key }) => {
      if (now !== undefined) loop.queue.add(key);
    },
  });
  return loop;

  async function sign(key: string): Promise<void> {
    const request = requests.get('', key.slice(1));
    const files = authorities.get(request?.spec?.signerName ?? '');
    if (request === undefined || files === undefined || !isToBeSigned(request)) return;
    const { usages = [], signerName = '' } = request.spec ?? {};
    const parsed = parsedRequest(request);
    const fault = requestChecks.get(signerName)?.(parsed, usages);
    if (fault !== undefined) {
      const condition = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: fault };
      await update(request, { conditions: [...(request.status?.conditions ?? []), condition] });
    } else {
      const certificate = await issue(request, parsed, files);
      await update(request, { certificate: Buffer.from(certificate).toString('base64') });
    }
  }

  async function update(request: StoredRequest, status: StoredRequest['status']): Promise<void> {
    await client.update(signingRequests, { ...request, status: { ...request.status, ...status } }, 'status');
  }

  async function issue(
    { spec = {} }: StoredRequest,
    parsed: CertificateRequest,
    { certFile, keyFile }: AuthorityFiles,
  ): Promise<string> {
    const { usages = [], expirationSeconds } = spec;
    const unknown = unknownUsages(usages);
    if (unknown.length > 0) throw new Error(`unrecognized usage values: [${unknown.map(goQuote).join(' ')}]`);
    // Read anew each time, because CAs get rotated.
    const authority = readSigningAuthority(await readFile(certFile, 'utf8'), await readFile(keyFile, 'utf8'));
    const now = clock.now();
    const lifeMs = lifeOf(expirationSeconds, signing);
    const endMs = lifeMs < shortLifeMs ? now + lifeMs : now + lifeMs - backdateMs;
    if (now >= authority.notAfterMs) throw new Error(`the certificate authority in ${certFile} has expired`);
    const notAfterMs = Math.min(endMs, authority.notAfterMs);
    return signRequest(parsed, { usages, notBeforeMs: now - backdateMs, notAfterMs }, authority);
  }
}

function isToBeSigned(request: StoredRequest): boolean {
  return (
    !isIssued(request) &&
    hasCondition(request, 'Approved') &&
    !hasCondition(request, 'Denied') &&
    !hasCondition(request, 'Failed')
  );
}

function lifeOf(expirationSeconds: number | bigint | undefined, { durationMs }: SigningConfig): number {
  if (expirationSeconds === undefined) return durationMs;
  const wantedMs = Number(expirationSeconds) * 1000;
  return wantedMs > durationMs ? durationMs : Math.max(wantedMs, shortestLifeMs);
}
