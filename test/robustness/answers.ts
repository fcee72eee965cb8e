import type { ApiResponse } from '../api-client.ts';
import { member, stateOf, subjects, writtenText } from './objects.ts';
import type { Outcome } from './recorded.ts';

const kinds: ReadonlySet<string> = new Set(Object.values(subjects).map(({ kind }) => kind));

/** The outcome of a request, from its response. */
export function outcomeOf({ code, body }: ApiResponse): Outcome {
  if (code === 200 || code === 201) return successOf(body);
  const reason = member(body, 'reason');
  const message = writtenText(body, 'message');
  switch (code) {
    case 404:
      return reason === 'NotFound' ? { kind: 'absent' } : unexpected(code, message);
    case 409:
      return { kind: reason === 'AlreadyExists' ? 'exists' : 'conflict' };
    case 410:
      return { kind: 'expired' };
    case 504:
      if (message.includes('Too large resource version')) return { kind: 'future' };
      return { kind: 'unknown', detail: `${code} ${message}` };
    case 429:
    case 503:
      return { kind: 'unknown', detail: `${code} ${message}` };
    default:
      // After a storage failure the client may retry: 500 ServerTimeout.
      if (reason === 'ServerTimeout') return { kind: 'unknown', detail: `${code} ${message}` };
      return unexpected(code, message);
  }
}

function successOf(body: ApiResponse['body']): Outcome {
  const kind = writtenText(body, 'kind');
  if (kinds.has(kind)) return { kind: 'object', object: stateOf(body) };
  if (kind === 'Status') return { kind: 'deleted', uid: writtenText(member(body, 'details'), 'uid') };
  const items = member(body, 'items');
  if (!kinds.has(kind.replace(/List$/, '')) || !Array.isArray(items)) return unexpected(200, JSON.stringify(body));
  const metadata = member(body, 'metadata');
  const remaining = member(metadata, 'remainingItemCount');
  return {
    kind: 'list',
    revision: Number(member(metadata, 'resourceVersion')),
    items: items.map((item) => stateOf(item)),
    more: (member(metadata, 'continue') ?? '') !== '',
    remaining: typeof remaining === 'number' ? remaining : undefined,
  };
}

function unexpected(code: number, message: string): Outcome {
  return { kind: 'unexpected', detail: `${code} ${message}` };
}
