import { humanDuration } from '../../../api/time/human-duration.ts';
import type { CertificateSigningRequest } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { findCondition, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const certificateSigningRequests = defineTable<CertificateSigningRequest>({
  columns: [
    nameColumn,
    ageColumn,
    textColumn('SignerName', 'Requested signer.'),
    textColumn('Requestor', 'Requesting user.'),
    textColumn('RequestedDuration', 'Requested validity of the certificate.'),
    textColumn('Condition', 'Decision on the request, and whether the certificate has been issued.'),
  ],
  cells(request, context) {
    const { signerName, username = '', expirationSeconds } = request.spec ?? {};
    return [
      nameOf(request),
      age(request, context),
      signerName || '<none>',
      username,
      expirationSeconds === undefined ? '<none>' : humanDuration(expirationSeconds * 1_000),
      requestStatus(request),
    ];
  },
});

function requestStatus({ status = {} }: Readonly<CertificateSigningRequest>): string {
  const has = (type: string): boolean => findCondition(status.conditions, type) !== undefined;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return [decision, ...(has('Failed') ? ['Failed'] : []), ...(status.certificate ? ['Issued'] : [])].join(',');
}
