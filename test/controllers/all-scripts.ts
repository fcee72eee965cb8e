import { fileURLToPath } from 'node:url';
import { endpointScripts } from './endpoint-scripts.ts';
import { manyKindsScript } from './many-kinds-script.ts';
import { migrationScripts } from './migration-scripts.ts';
import { namespaceScripts } from './namespace-scripts.ts';
import type { Script } from './script.ts';
import { accountScripts, certificateScripts, objectScripts } from './scripts.ts';

export const allScripts: readonly Script[] = [
  ...accountScripts,
  ...certificateScripts,
  ...objectScripts,
  ...endpointScripts,
  ...migrationScripts,
  manyKindsScript,
  // Their last one leaves a server behind that does not answer.
  ...namespaceScripts,
];

/** What they have led to beside kube-controller-manager. */
export const outcomesFile = fileURLToPath(new URL('testdata/outcomes.json', import.meta.url));
