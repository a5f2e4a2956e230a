import type { Socket } from 'node:net';

const REMOTE = Symbol.for('apix.logx.Remote');

/** `address:port` of the other end, kept for later requests; '' if not known. */
export function remoteOf(socket: Socket & { [REMOTE]?: string }): string {
  return (socket[REMOTE] ??= textOf(socket));
}

function textOf({ remoteAddress: address, remotePort: port }: Socket): string {
  if (address === undefined) return '';
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`;
}
