import type { Call, CallHead, CallListener, InProcessServer, InProcessSettings } from '@apix/calls';
import type { CallTransport, ChannelState } from './call-transport.js';
import { refusedCall } from './refused-call.js';

/** Makes calls to a server of this process, without a socket: messages are copied, not encoded. */
export class InProcessTransport implements CallTransport {
  readonly target = 'in-process';
  readonly isSecure = true;
  readonly #server: InProcessServer;
  readonly #settings: InProcessSettings;
  #isClosed = false;

  constructor(server: InProcessServer, settings: InProcessSettings = {}) {
    this.#server = server;
    this.#settings = settings;
  }

  get state(): ChannelState {
    return this.#isClosed ? 'closed' : 'ready';
  }

  open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
  ): Call {
    if (this.#isClosed) return refusedCall(listener);
    return this.#server.open(head, listener, this.#settings);
  }

  waitForReady(): Promise<void> {
    return this.#isClosed
      ? Promise.reject(new Error('grpc: the client is closed'))
      : Promise.resolve();
  }

  close(): void {
    this.#isClosed = true;
  }
}
