import type { Server } from '@grpc/grpc-js';
import { GrpcSetupError } from '../errors.js';
import type { ResolvedGrpcOptions } from './grpc-options.js';

/** Binds the server and gives its port. @throws GrpcSetupError that names the address. */
export function bind(server: Server, settings: ResolvedGrpcOptions): Promise<number> {
  const { host, port, credentials } = settings;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
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
