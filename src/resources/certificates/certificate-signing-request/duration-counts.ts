import type { Metric } from '../../../api/metrics/metric.ts';
import type { PartContext } from '../../../api/contracts/part.ts';
import { parseCertificates } from '../../../codec/x509/certificate.ts';
import { DerError } from '../../../codec/x509/der.ts';
import { pemBlocks } from '../../../codec/x509/pem.ts';
import type { UpdateStrategy } from '../../../registry/kinds/strategy.ts';
import type { CertificateSigningRequest } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';

/** Certificates are issued with a begin in the past. */
const backdatedSeconds = 300;
const knownSigners = 'kubernetes.io/';

/** Counts issued certificates with a requested duration, and those that honour it; for updates of the status. */
export function durationCounts(
  metric: PartContext['metric'],
): NonNullable<UpdateStrategy<CertificateSigningRequest>['afterUpdate']> {
  const counter = (what: string, help: string): Metric =>
    metric({
      name: `apiserver_certificates_registry_csr_${what}_duration_total`,
      type: 'counter',
      help,
      labelNames: ['signerName'],
    });
  const honored = counter('honored', 'Certificates issued with the requested duration.');
  const requested = counter('requested', 'Certificates issued to requests that ask for a duration.');
  return ({ status: now }, { spec = {}, status: before }) => {
    const { expirationSeconds, signerName = '' } = spec;
    const issued = now?.certificate ?? '';
    if (expirationSeconds === undefined || issued === '' || (before?.certificate ?? '') !== '') return;
    const labels = { signerName: signerName.startsWith(knownSigners) ? signerName : 'other' };
    requested.add(labels);
    const seconds = secondsOf(Buffer.from(issued, 'base64'));
    if (seconds !== undefined && isHonored(expirationSeconds, seconds)) honored.add(labels);
  };
}

/** How long the first of these certificates is valid. */
function secondsOf(pem: Buffer): number | undefined {
  const block = pemBlocks(pem).find(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  try {
    const [certificate] = block === undefined ? [] : parseCertificates(block.bytes);
    return certificate && (certificate.notAfterMs - certificate.notBeforeMs) / 1_000;
  } catch (error) {
    // Validation accepts certificates that cannot be parsed completely.
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

function isHonored(wanted: number, seconds: number): boolean {
  return Math.abs(wanted - seconds) < backdatedSeconds + wanted / 20;
}
