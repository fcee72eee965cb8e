import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../api/clock.ts';
import { issueLeaf, openAuthority } from '../authentication/pki/certificate-store.ts';
import { kubeconfigText, type ServerAccess } from '../authentication/pki/kubeconfig.ts';
import { writeWhole } from '../authentication/pki/whole-file.ts';

export interface User {
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
}

export interface UsersRequest {
  /** Groups by the name of the user. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** The folder of the server's authority. */
  readonly pkiFolder: string;
  /** The folder for the kubeconfigs. */
  readonly folder: string;
  readonly access: ServerAccess;
}

/** Issues a certificate for each user and writes a kubeconfig that contains it. */
export async function makeUsers({ groups, pkiFolder, folder, access }: UsersRequest): Promise<Map<string, User>> {
  if (groups.size === 0) return new Map();
  const clock = systemClock;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const authority = await openAuthority({ folder: pkiFolder, name: 'ca', clock });
  const users = [...groups].map(async ([name, organizations]): Promise<[string, User]> => {
    const subject = { commonName: name, organizations };
    const user = await issueLeaf({ template: { subject, usage: 'client' }, authority, clock });
    const kubeconfig = kubeconfigText({ ...access, user, userName: name });
    const kubeconfigPath = join(folder, `${encodeURIComponent(name)}.kubeconfig`);
    await writeWhole({ path: kubeconfigPath, text: kubeconfig, mode: 0o600 });
    return [name, { kubeconfig, kubeconfigPath }];
  });
  return new Map(await Promise.all(users));
}
