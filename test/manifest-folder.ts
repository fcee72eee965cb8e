import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asAlone, startTestServer, type TestServer, withoutAccounts } from './server-fixture.ts';

/** Where an admission plugin finds manifests. */
export interface ManifestFolder {
  /** To be removed after the test. */
  readonly folder: string;
  readonly manifests: string;
  /** For `--admission-control-config-file`. */
  readonly file: string;
}

export async function manifestFolder(plugin: string, kind: string): Promise<ManifestFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-manifests-'));
  const manifests = join(folder, 'manifests');
  const file = join(folder, 'admission.yaml');
  await mkdir(manifests);
  const apiVersion = 'apiserver.config.k8s.io/v1';
  const configuration = { apiVersion, kind, staticManifestsDir: manifests };
  const plugins = [{ name: plugin, configuration }];
  await writeFile(file, JSON.stringify({ apiVersion, kind: 'AdmissionConfiguration', plugins }));
  return { folder, manifests, file };
}

export function startWithManifests({ file }: ManifestFolder): Promise<TestServer> {
  const admission = { ...withoutAccounts, configFile: file };
  return startTestServer({}, {}, { config: { ...asAlone, admission, logging: { level: 'silent' } } });
}
