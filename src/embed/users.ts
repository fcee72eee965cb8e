import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../api/time/clock.ts';
import { type CertificateAndKey, issueLeaf, openAuthority } from '../authentication/pki/certificate-store.ts';
import { kubeconfigText, type ServerAccess } from '../authentication/pki/kubeconfig.ts';
import { writeWhole } from '../authentication/pki/whole-file.ts';

export interface User {
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
}

/** Certificates by the name of the user. */
export type UserCertificates = ReadonlyMap<string, CertificateAndKey>;

/** Issues a certificate for each user; `groups` by their names, `pkiFolder` is that of the server's authority. */
export async function issueUsers(
  groups: ReadonlyMap<string, readonly string[]>,
  pkiFolder: string,
): Promise<UserCertificates> {
  if (groups.size === 0) return new Map();
  const clock = systemClock;
  const authority = await openAuthority({ folder: pkiFolder, name: 'ca', clock });
  const users = [...groups].map(async ([commonName, organizations]): Promise<[string, CertificateAndKey]> => {
    const subject = { commonName, organizations };
    return [commonName, await issueLeaf({ template: { subject, usage: 'client' }, authority, clock })];
  });
  return new Map(await Promise.all(users));
}

/** Writes a kubeconfig for each user into `folder`. */
export async function writeUsers(
  certificates: UserCertificates,
  { folder, access, syncs }: { readonly folder: string; readonly access: ServerAccess; readonly syncs: boolean },
): Promise<ReadonlyMap<string, User>> {
  if (certificates.size === 0) return new Map();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const users = [...certificates].map(async ([name, user]): Promise<[string, User]> => {
    const kubeconfig = kubeconfigText({ ...access, user, userName: name });
    const kubeconfigPath = join(folder, `${encodeURIComponent(name)}.kubeconfig`);
    await writeWhole({ path: kubeconfigPath, text: kubeconfig, mode: 0o600, syncs });
    return [name, { kubeconfig, kubeconfigPath }];
  });
  return new Map(await Promise.all(users));
}
