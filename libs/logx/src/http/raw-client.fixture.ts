import { connect, type Socket } from 'node:net';

/** A connection on which a test writes and reads bytes. */
export class RawClient {
  text = '';
  private waiting: (() => void)[] = [];

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      this.text += chunk;
      this.wake();
    });
    socket.on('close', () => this.wake());
    socket.on('error', () => {});
  }

  static async to(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    return new RawClient(socket);
  }

  send(...lines: string[]): void {
    this.socket.write(lines.join('\r\n'), 'latin1');
  }

  /** Resolves when the text has come, or the connection is gone. */
  async until(text: string): Promise<string> {
    while (!this.text.includes(text) && !this.socket.closed) await this.change();
    return this.text;
  }

  async closed(): Promise<string> {
    while (!this.socket.closed) await this.change();
    return this.text;
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** The head and empty line of a request without a body. */
export function head(method: string, target: string, ...headers: string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: shop.test', ...headers, '', ''].join('\r\n');
}
