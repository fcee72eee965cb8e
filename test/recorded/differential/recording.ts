import { readAnswers, writeAnswers } from '../recording.ts';
import type { Answer } from './scenario.ts';

const differential = 'differential';

/** The recorded answers to a scenario, by step. */
export function readRecording(scenario: string, subject = differential): ReadonlyMap<string, Answer> {
  return readAnswers(subject, scenario);
}

export function writeRecording(scenario: string, answers: ReadonlyMap<string, Answer>, subject = differential): void {
  writeAnswers(subject, scenario, answers);
}
