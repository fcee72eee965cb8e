import type { JsonObject } from '../../../src/api/json/json.ts';
import type { Player } from '../differential/player.ts';
import type { StepResponse, Scenario } from '../differential/scenario.ts';
import { readCases, writeCases } from '../recording.ts';
import { namespace, type RecordedKind } from './kinds.ts';

/** An object and the reference's result. */
export interface Recorded {
  readonly object: JsonObject;
  readonly answer: StepResponse;
}

const subject = 'defaults';

export function readRecorded(kind: RecordedKind): readonly Recorded[] {
  return readCases(subject, nameOf(kind));
}

export function writeRecorded(kind: RecordedKind, recorded: readonly Recorded[]): void {
  writeCases(subject, nameOf(kind), recorded);
}

function nameOf({ label }: RecordedKind): string {
  return label.replace(/\.$/, '');
}

/** Creates the namespace for the objects. */
export const inNamespace: Scenario = {
  name: 'namespace',
  steps: [{ name: 'create', method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } }],
};

/** The normalized response to a create. */
export async function send(player: Player, { path }: RecordedKind, object: JsonObject): Promise<StepResponse> {
  const answers = await player.play({ name: 'one', steps: [{ name: 'create', method: 'POST', path, body: object }] });
  const answer = answers.get('create');
  if (answer === undefined) throw new Error('a request was not answered');
  return answer;
}
