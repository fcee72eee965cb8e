import type { Authenticator, Credentials, Identity } from '../api/contracts/authentication.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { exponentialBuckets } from '../api/metrics/buckets.ts';
import { TimedCounter } from '../api/metrics/timed-counter.ts';
import { secondsSince } from '../api/time/seconds-since.ts';

/** Measures attempts to authenticate: how many there are with which result, how long they take, and who succeeds. */
export function measuredAttempts(authenticator: Authenticator, { metric }: Pick<PartContext, 'metric'>): Authenticator {
  const attempts = new TimedCounter(metric, {
    labelNames: ['result'],
    count: { name: 'authentication_attempts', help: 'Attempts to authenticate, by result.' },
    duration: {
      name: 'authentication_duration_seconds',
      help: 'How long attempts to authenticate took, by result.',
      buckets: exponentialBuckets(0.001, 15),
    },
  });
  const users = metric({
    name: 'authenticated_user_requests',
    type: 'counter',
    labelNames: ['username'],
    help: 'Authenticated requests, by sort of user.',
  });
  const counterOf = (result: string): ((startMs: number) => void) => {
    const count = attempts.counter({ result });
    return (startMs) => count(secondsSince(startMs));
  };
  const [succeeded, failed, refused] = ['success', 'failure', 'error'].map(counterOf);
  const counters = new Map(
    [...namedUsers, mailUser, otherUser].map((username) => [username, users.counter({ username })]),
  );
  const ended = (startMs: number, identity: Identity | undefined): Identity | undefined => {
    if (identity === undefined) failed?.(startMs);
    else {
      succeeded?.(startMs);
      counters.get(sortOf(identity.user.name))?.();
    }
    return identity;
  };
  const authenticate = (credentials: Credentials, startMs: number): ReturnType<Authenticator['authenticate']> => {
    const result = authenticator.authenticate(credentials);
    return result instanceof Promise
      ? result.then(
          (late) => ended(startMs, late),
          (error: unknown) => {
            refused?.(startMs);
            throw error;
          },
        )
      : ended(startMs, result);
  };
  return {
    authenticate(credentials) {
      const startMs = performance.now();
      try {
        return authenticate(credentials, startMs);
      } catch (error) {
        refused?.(startMs);
        throw error;
      }
    },
  };
}

const namedUsers: readonly string[] = [
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
];
const mailUser = 'email_id';
const otherUser = 'other';

function sortOf(name: string): string {
  if (namedUsers.includes(name)) return name;
  return name.includes('@') ? mailUser : otherUser;
}
