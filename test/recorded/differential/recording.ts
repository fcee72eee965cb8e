import { readResponses, writeResponses } from '../recording.ts';
import type { StepResponse } from './scenario.ts';

const differential = 'differential';

/** The recorded answers to a scenario, by step. */
export function readRecording(scenario: string, subject = differential): ReadonlyMap<string, StepResponse> {
  return readResponses(subject, scenario);
}

export function writeRecording(
  scenario: string,
  answers: ReadonlyMap<string, StepResponse>,
  subject = differential,
): void {
  writeResponses(subject, scenario, answers);
}
