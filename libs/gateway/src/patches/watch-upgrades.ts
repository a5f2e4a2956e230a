import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

export type UpgradeEvent = [req: IncomingMessage, socket: Duplex, head: Buffer];

/** How a server calls its listeners, as it was before it was replaced. */
export type ServerEmit = (
  this: EventEmitter,
  event: string | symbol,
  ...args: unknown[]
) => boolean;

/** A listener that Node asks for, or it would not say that an upgrade is offered. */
export const presence = (): void => {};

/**
 * Takes the event `upgrade` of a server away from its listeners, each of which would otherwise answer or
 * end a connection that is not its own: Node cannot assign it to one of them. Replaces `server.emit`.
 * Returns a function that undoes it.
 *
 * @param onUpgrade returns `true` if it has handled the event; gets a function that calls the listeners.
 */
export function watchUpgrades(
  server: Server,
  onUpgrade: (event: UpgradeEvent, emit: ServerEmit) => boolean,
): () => void {
  const emitting = server as unknown as { emit: ServerEmit };
  const wasOwn = Object.hasOwn(server, 'emit');
  const { emit } = emitting;
  let installed = true;
  const watched: ServerEmit = function (event, ...args) {
    // After the undo it may still be called by a later replacement.
    if (event !== 'upgrade' || !installed) return emit.call(this, event, ...args);
    return onUpgrade(args as UpgradeEvent, emit);
  };
  server.on('upgrade', presence);
  emitting.emit = watched;
  return () => {
    installed = false;
    server.off('upgrade', presence);
    if (emitting.emit !== watched) return;
    if (wasOwn) emitting.emit = emit;
    else Reflect.deleteProperty(server, 'emit');
  };
}
