import type { IncomingMessage, ServerResponse } from 'node:http';
import { Http1Exchange } from './http1-exchange.ts';
import { lastResponse } from './last-response.ts';
import type { UpgradeRequest } from './upgrade-request.ts';

/** An exchange that may leave HTTP; if it does not, its response is the last on the connection. */
export class UpgradeExchange extends Http1Exchange {
  protected readonly upgrade: UpgradeRequest;
  readonly #plain: ServerResponse;
  #taken = false;

  constructor(upgrade: UpgradeRequest) {
    const plain = lastResponse(upgrade.request, upgrade.socket);
    super(upgrade.request, plain);
    this.upgrade = upgrade;
    this.#plain = plain;
    upgrade.socket.on('error', () => upgrade.socket.destroy());
  }

  override get started(): boolean {
    return this.#taken || super.started;
  }

  override get closed(): boolean {
    return this.upgrade.socket.destroyed || (!this.#taken && super.closed);
  }

  override onClose(listener: () => void): void {
    if (this.closed) listener();
    else this.upgrade.socket.once('close', listener);
  }

  override get isHijacked(): boolean {
    return this.#taken;
  }

  override takeConnection(): UpgradeRequest {
    // A tunnel may be silent, or wait for its client, as long as both ends like.
    this.detach().setTimeout(0);
    this.markTaken();
    return this.upgrade;
  }

  /** From here on node writes nothing to the connection. */
  protected detach(): IncomingMessage['socket'] {
    // The listener is a TLS server, so this is a socket.
    const socket = this.upgrade.socket as IncomingMessage['socket'];
    this.#plain.detachSocket(socket);
    return socket;
  }

  protected markTaken(): void {
    this.#taken = true;
    this.status ||= 101;
    this.onStart?.();
  }
}
