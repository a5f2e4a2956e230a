import type { CallTransport, ChannelState } from '@apix/grpc-client/transport';
import type { Call, CallHead, CallListener } from '@apix/calls';

/** Delegates to another transport everything except the calls, which `open` handles. */
export abstract class PassingTransport implements CallTransport {
  constructor(protected readonly transport: CallTransport) {}

  get target(): string {
    return this.transport.target;
  }

  get stack(): CallTransport['stack'] {
    return this.transport.stack;
  }

  get takesWire(): boolean {
    return this.transport.takesWire ?? false;
  }

  get isSecure(): boolean {
    return this.transport.isSecure;
  }

  get state(): ChannelState {
    return this.transport.state;
  }

  abstract open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
  ): Call;

  waitForReady(deadline: number): Promise<void> {
    return this.transport.waitForReady(deadline);
  }

  reload(): void {
    this.transport.reload?.();
  }

  close(): void {
    this.transport.close();
  }
}
