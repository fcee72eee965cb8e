import type { Authenticator, Credentials, Identity } from '../api/contracts/authentication.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { secondsSince } from '../api/time/seconds-since.ts';

/** Seconds, as in the reference. */
const buckets = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);

/** Measures attempts to authenticate: how many there are with which result, how long they take, and who succeeds. */
export function measuredAttempts(authenticator: Authenticator, { metric }: Pick<PartContext, 'metric'>): Authenticator {
  const labelNames = ['result'];
  const attempts = metric({
    name: 'authentication_attempts',
    type: 'counter',
    labelNames,
    help: 'Attempts to authenticate, by result.',
  });
  const durations = metric({
    name: 'authentication_duration_seconds',
    type: 'histogram',
    labelNames,
    buckets,
    help: 'How long attempts to authenticate took, by result.',
  });
  const users = metric({
    name: 'authenticated_user_requests',
    type: 'counter',
    labelNames: ['username'],
    help: 'Authenticated requests, by sort of user.',
  });
  const counterOf = (result: string): ((startMs: number) => void) => {
    const [count, observe] = [attempts.counter({ result }), durations.observer({ result })];
    return (startMs) => {
      count();
      observe(secondsSince(startMs));
    };
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
    const answer = authenticator.authenticate(credentials);
    return answer instanceof Promise
      ? answer.then(
          (late) => ended(startMs, late),
          (error: unknown) => {
            refused?.(startMs);
            throw error;
          },
        )
      : ended(startMs, answer);
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
