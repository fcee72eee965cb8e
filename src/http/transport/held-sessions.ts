import type { Http2Session, Http2Stream } from 'node:http2';

const answersUnderWay = new WeakMap<Http2Session, number>();

/** Keeps a connection from counting as idle while an answer of unknown length is under way: a quiet watch sends nothing for long. */
export function holdSession(stream: Http2Stream): void {
  const { session } = stream;
  if (session === undefined) return;
  answersUnderWay.set(session, (answersUnderWay.get(session) ?? 0) + 1);
  stream.once('close', () => answersUnderWay.set(session, (answersUnderWay.get(session) ?? 1) - 1));
}

export function isHeld(session: Http2Session): boolean {
  return (answersUnderWay.get(session) ?? 0) > 0;
}
