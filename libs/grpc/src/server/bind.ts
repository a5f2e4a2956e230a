import type { Server } from '@grpc/grpc-js';
import { GrpcSetupError } from '../errors.js';
import { addressOf } from './address.js';
import type { ResolvedListenOptions } from './listen-options.js';

/** Binds the server and gives its port. @throws GrpcSetupError that names the address. */
export function bind(server: Server, settings: ResolvedListenOptions): Promise<number> {
  const { host, port, credentials } = settings;
  const address = addressOf(host, port);
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => {
      if (error === null) resolve(bound);
      else {
        const text = `cannot listen at ${address}: is another process there?`;
        reject(new GrpcSetupError([`${text} (${error.message})`], { cause: error }));
      }
    });
  });
}
