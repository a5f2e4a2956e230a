import { FORWARDED_KEY } from '@apix/contracts';
import type {
  CallTransport,
  ChannelState,
  TransportCall,
  TransportHead,
  TransportListener,
} from '@apix/grpc/transport';

/** Says of every call over a network that it speaks for somebody else. */
export class ForwardedCalls implements CallTransport {
  readonly #transport: CallTransport;

  constructor(transport: CallTransport) {
    this.#transport = transport;
  }

  get target(): string {
    return this.#transport.target;
  }

  get takesWire(): boolean {
    return this.#transport.takesWire ?? false;
  }

  get isSecure(): boolean {
    return this.#transport.isSecure;
  }

  get state(): ChannelState {
    return this.#transport.state;
  }

  open<Written extends object = never>(
    head: TransportHead<Written>,
    listener: TransportListener<Written>,
  ): TransportCall {
    head.metadata.set(FORWARDED_KEY, '1');
    return this.#transport.open(head, listener);
  }

  waitForReady(deadline: number): Promise<void> {
    return this.#transport.waitForReady(deadline);
  }

  close(): void {
    this.#transport.close();
  }
}
