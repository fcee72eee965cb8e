import type { JsonValue } from '../../../src/api/json/json.ts';
import { endpointScripts } from '../../controllers/endpoint-scripts.ts';
import { manyKindsScript } from '../../controllers/many-kinds-script.ts';
import { migrationScripts } from '../../controllers/migration-scripts.ts';
import { namespaceScripts } from '../../controllers/namespace-scripts.ts';
import type { Script } from '../../controllers/script.ts';
import { accountScripts, certificateScripts, objectScripts } from '../../controllers/scripts.ts';
import { readResponses, writeResponses } from '../recording.ts';

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

const subject = 'controllers';
const recording = 'outcomes';

/** What each script has led to beside kube-controller-manager. */
export function readOutcomes(): ReadonlyMap<string, JsonValue> {
  return readResponses(subject, recording);
}

export function writeOutcomes(outcomes: ReadonlyMap<string, JsonValue>): void {
  writeResponses(subject, recording, outcomes);
}
