import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** The network between a gateway and its backend, which can fail. */
export class Relay {
  private mode: 'on' | 'frozen' | 'refusing' | 'mute' = 'on';
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: () => number) {
    this.server = createServer((inward) => this.take(inward));
  }

  static async start(target: () => number): Promise<Relay> {
    const relay = new Relay(target);
    await new Promise<void>((resolve) => relay.server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** As it should be. */
  restore(): void {
    this.mode = 'on';
    this.cut();
  }

  /** Keeps connections, and carries nothing any more. */
  freeze(): void {
    this.mode = 'frozen';
    for (const socket of this.sockets) socket.pause();
  }

  /** Ends connections and refuses new ones, as a backend that was killed. */
  kill(): void {
    this.mode = 'refusing';
    this.cut();
  }

  /** Ends connections, and accepts new ones without ever a word. */
  mute(): void {
    this.mode = 'mute';
    this.cut();
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => {});
  }

  private take(inward: Socket): void {
    this.keep(inward);
    if (this.mode === 'refusing') inward.resetAndDestroy();
    if (this.mode === 'refusing' || this.mode === 'mute') return;
    const outward = connect(this.target(), '127.0.0.1');
    this.keep(outward);
    inward.on('data', (chunk) => this.mode === 'on' && outward.write(chunk));
    outward.on('data', (chunk) => this.mode === 'on' && inward.write(chunk));
    inward.on('close', () => outward.destroy());
    outward.on('close', () => inward.destroy());
  }
}
