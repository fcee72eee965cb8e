import type { Freshness, Operation, Outcome, WatchSession } from '../recorded.ts';
import { showObject } from './revision-history.ts';

/** `client-1 on server-0.2 [1200.5, 1203.1] update k1 write=w17 expected=31 -> conflict` */
export function showOperation({ client, server, invokedMs, returnedMs, action, outcome }: Operation): string {
  const { verb, ...parameters } = action;
  const shown = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== 0)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? showFreshness(value) : value}`);
  const times = `[${invokedMs.toFixed(1)}, ${returnedMs.toFixed(1)}]`;
  return `${client} on ${server} ${times} ${verb} ${shown.join(' ')} -> ${showOutcome(outcome)}`;
}

function showFreshness(freshness: Freshness): string {
  return 'revision' in freshness ? `${freshness.kind} ${freshness.revision}` : freshness.kind;
}

function showOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'object':
      return showObject(outcome.object);
    case 'deleted':
      return `deleted ${outcome.uid}`;
    case 'list':
      return `list at ${outcome.revision}: ${outcome.items.map(showObject).join(', ')}${outcome.more ? ' and more' : ''}`;
    case 'unknown':
    case 'unexpected':
      return `${outcome.kind}: ${outcome.detail}`;
    default:
      return outcome.kind;
  }
}

export function showSession({ client, server, openedMs, selection, start }: WatchSession): string {
  const what = Object.entries(selection).map(([name, value]) => ` ${name}=${value}`);
  const from = start.kind === 'after' ? `after ${start.revision}` : `from the state, ${showFreshness(start.freshness)}`;
  return `${client} on ${server} [${openedMs.toFixed(1)}] watch${what.join('')} ${from}`;
}
