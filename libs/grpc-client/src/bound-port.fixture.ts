import { type Server, ServerCredentials } from '@grpc/grpc-js';

/** Binds a server to a free port of 127.0.0.1, without TLS. */
export function boundPort(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}
