import { keptBy } from '../api/collections/kept-by.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { ServerCertificateError } from './server-certificate.ts';

/** Counts calls that fail because a server's certificate relies on what Go no longer supports. */
export interface CertificateCounts {
  /** The error of a call: others than those of such certificates do not count. */
  failed(error: unknown): void;
}

const legacyName = 'x509: certificate relies on legacy Common Name field';
const insecureSignature = /x509: cannot verify signature: insecure algorithm \S*SHA1/;

const countsOf =
  (prefix: string, stability: string) =>
  (metric: PartContext['metric']): CertificateCounts => {
    const counter = (name: string, what: string): (() => void) =>
      metric({
        name: `${prefix}_x509_${name}_total`,
        type: 'counter',
        labelNames: [],
        help: `[${stability}] Calls that failed because the certificate of the server ${what}.`,
      }).counter({});
    const lacksNames = counter('missing_san', 'has no subject alternative names');
    const isInsecure = counter('insecure_sha1', 'is signed with SHA-1');
    return {
      failed(error) {
        const message = causeOf(error)?.message ?? '';
        if (message.includes(legacyName)) lacksNames();
        if (insecureSignature.test(message)) isInsecure();
      },
    };
  };

/** Counts of certificates in calls to webhooks; registered once. */
export const webhookCertificates = keptBy(countsOf('apiserver_webhooks', 'BETA'));

/** Counts of certificates in requests passed on to other API servers; registered once. */
export const aggregatedCertificates = keptBy(countsOf('apiserver_kube_aggregator', 'ALPHA'));

function causeOf(error: unknown): ServerCertificateError | undefined {
  let cause = error;
  while (cause instanceof Error && !(cause instanceof ServerCertificateError)) cause = cause.cause;
  return cause instanceof ServerCertificateError ? cause : undefined;
}
