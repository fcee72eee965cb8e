import { join } from 'node:path';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { Player } from '../../test/differential/player.ts';
import type { Answer, Scenario } from '../../test/differential/scenario.ts';
import { namespace, type RecordedKind } from './kinds.ts';

/** An object and the reference's result. */
export interface Recorded {
  readonly object: JsonObject;
  readonly answer: Answer;
}

export const recordingFolder = join(import.meta.dirname, 'testdata');

export function recordingPath({ label }: RecordedKind): string {
  return join(recordingFolder, `${label.replace(/\.$/, '')}.jsonl`);
}

/** Creates the namespace for the objects. */
export const inNamespace: Scenario = {
  name: 'namespace',
  steps: [{ name: 'create', method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } }],
};

/** The normalized response to a create. */
export async function send(player: Player, { path }: RecordedKind, object: JsonObject): Promise<Answer> {
  const answers = await player.play({ name: 'one', steps: [{ name: 'create', method: 'POST', path, body: object }] });
  const answer = answers.get('create');
  if (answer === undefined) throw new Error('a request was not answered');
  return answer;
}
